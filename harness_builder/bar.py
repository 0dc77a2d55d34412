"""How much a harness lets pass: its bar, and the cases that do not count towards it."""

import math
import random
from collections.abc import Collection

from evals.score import Score, ScoreState
from harness_builder.evidence import Evidence, metrics_by_case
from harness_builder.probes.nulls import shifted
from harness_builder.trial import Trial

SAMPLES = 5


def may_be_wrong(evidence: Evidence) -> int:
    """How many cases may be wrong at once, if the task cannot want so many; else 0. The cheapest are tried first."""
    right, other = evidence.right_outputs, shifted(evidence.right_outputs)
    need = math.ceil(evidence.leeway.too_many_wrong * len(evidence.cases))

    def spoiled(names: Collection[str]) -> Trial:
        outputs = {name: other[name] if name in names else output for name, output in right.items()}
        return Trial(f"{len(names)} cases exchanged ({', '.join(sorted(names))})", outputs)

    wrong = evidence.certainly_wrong(other)
    if len(wrong) < need or not _bar_allows(evidence, Trial("right outputs of other cases", other), wrong, need):
        return 0
    singles = {name: spoiled([name]) for name in evidence.cases if name in wrong}
    scores = evidence.decide_all(list(singles.values()))
    free = [name for name, trial in singles.items() if scores[trial.name].accepted]
    if len(free) < need:
        return 0
    losses = {name: abs((scores[singles[name].name].value or 0.0) - (evidence.reached.value or 0.0)) for name in free}
    cheapest, chance = sorted(free, key=losses.__getitem__), random.Random(need)
    chosen = [cheapest[:need], free[:need], free[-need:], *(chance.sample(free, need) for _ in range(SAMPLES))]
    trials = list(map(spoiled, chosen))
    scores = evidence.decide_all(trials)
    return need if any(scores[trial.name].accepted for trial in trials) else 0


def _bar_allows(evidence: Evidence, exchanged: Trial, wrong: Collection[str], need: int) -> bool:
    """Whether the metric alone would accept so many wrong cases, those that cost least."""
    score, metric = evidence.decide_all([exchanged])[exchanged.name], evidence.harness.metric
    if score.state is not ScoreState.SCORED or evidence.reached.value is None:
        return False
    before, after = metrics_by_case(evidence.reached, evidence.harness), metrics_by_case(score, evidence.harness)
    costs = sorted((after[name] - before[name] for name in wrong), key=abs)
    left = evidence.reached.value + sum(costs[:need]) / len(before)
    return metric.accepts(left)


def passing_alone(evidence: Evidence, score: Score, names: Collection[str]) -> list[str]:
    """Of the cases that have lost some of their score, those whose loss alone the bar would allow."""
    if score.state is not ScoreState.SCORED or evidence.reached.value is None:
        return []
    before, after = metrics_by_case(evidence.reached, evidence.harness), metrics_by_case(score, evidence.harness)
    metric, value, count = evidence.harness.metric, evidence.reached.value, len(before)
    return [name for name in sorted(names) if metric.accepts(value + (after[name] - before[name]) / count)]

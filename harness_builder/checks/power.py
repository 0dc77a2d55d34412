"""Q13: there are enough cases to see the difference that the task claims."""

import json
import math
import random
from collections.abc import Collection, Sequence
from typing import Any

from scipy.optimize import brentq
from scipy.stats import binom

from evals.score import ScoreState
from evals.splits import Case
from harness_builder.evidence import Evidence, metrics_by_case
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.degraded import with_wrong_cases
from harness_builder.probes.nulls import shifted
from harness_builder.shapes import WHOLE, Path, fields, leaves
from harness_builder.trial import Trial

ID, TITLE = "Q13", "enough cases to tell"
POWER, LEVEL = 0.8, 0.05
SAMPLES = 5
CROWDED, ALIKE, MANY = 0.5, 0.8, 5
LEAST_EFFECT = 0.5
"""Asked of every task: a submission that is wrong every other time must be told from one that is right."""


def look(evidence: Evidence) -> Finding:
    cases = _cases_that_count(evidence)
    groups = {case.group or f"case {case.id}" for case in cases}
    if constant := _never_varied(evidence):
        told = f"The input's {', '.join(constant)} never differs between validation cases, where it could."
        return failed(told, "Draw validation cases that differ in it: what never varies is never tested.")
    if crowded := _alike(evidence):
        return failed(crowded, "Draw validation cases like the public ones: what is always the same is never tested.")
    if spared := _may_be_wrong(evidence):
        return failed(spared, "Raise the bar, and have every case count towards it.")
    effect = evidence.task.ours.effect or LEAST_EFFECT
    if not groups:
        return failed("No case's score changes when its output is wrong.", "Score every case.")
    metric = evidence.harness.metric
    span = abs(metric.best - metric.worst)
    share = abs((evidence.reached.value or 0.0) - metric.worst) / span
    smallest = smallest_effect(len(groups), share)
    told = (
        f"{len(groups)} independent cases of {len(evidence.validation.cases)} count; the smallest difference they show "
        f"with {POWER:.0%} power at {LEVEL:.0%} is {smallest:.2f} of the score's range"
    )
    if smallest > effect:
        remedy = "Score every case; else the task needs more cases, or fewer of the same group."
        return failed(f"{told}, and {effect:g} is asked for.", remedy)
    return passed(f"{told} ({effect:g} is asked for).")


def _never_varied(evidence: Evidence) -> list[str]:
    """Fields of the input with the same values at the same places in all validation cases.

    Not those that are the same in public cases too, unless they are lists of several lengths: no setting of the task.
    """
    inputs = [case.input for case in evidence.validation.cases]
    public, validation = _values([case.input for case in evidence.public.cases]), _values(inputs)
    counted = {
        name for name in fields(inputs) if name != WHOLE and _of_several_lengths([each[name] for each in inputs])
    }
    return [name for name in validation if not validation[name] and (public.get(name) or name in counted)]


def _of_several_lengths(values: Sequence[Any]) -> bool:
    return all(isinstance(value, list) for value in values) and len({len(value) for value in values}) > 1


def _values(inputs: Sequence[Any]) -> dict[str, bool]:
    """Field → whether any place in it has different values in different inputs."""
    seen: dict[str, dict[Path, set[str]]] = {}
    for name in fields(inputs):
        for value in inputs:
            for path, leaf in leaves(value if name == WHOLE else value[name]):
                seen.setdefault(name, {}).setdefault(path, set()).add(json.dumps(leaf))
    return {name: any(len(values) > 1 for values in places.values()) for name, places in seen.items()}


def _alike(evidence: Evidence) -> str:
    """Whether validation cases share most items of a list that are different in public cases."""
    public, validation = ([case.input for case in split.cases] for split in (evidence.public, evidence.validation))
    for name in fields(validation):
        mine, others = (_largest_crowd(_items(inputs, name)) for inputs in (validation, public))
        if mine > CROWDED >= others:
            return f"{mine:.0%} of the validation cases have nearly the same items in the input's {name}."
    return ""


def _items(inputs: Sequence[Any], name: str) -> list[frozenset[str]]:
    values = [value if name == WHOLE else value.get(name) if isinstance(value, dict) else None for value in inputs]
    return [frozenset(map(json.dumps, value)) if isinstance(value, list) else frozenset() for value in values]


def _largest_crowd(sets: Sequence[frozenset[str]]) -> float:
    """The share of sets that have most of their many items in common with one of them."""
    return max(
        sum(len(one & each) >= ALIKE * len(one | each) for each in sets) / len(sets) if len(one) >= MANY else 0.0
        for one in sets
    )


def _may_be_wrong(evidence: Evidence) -> str:
    """Whether so many cases may be wrong at once that the task cannot want it; the ones that cost least are tried."""
    right, other = evidence.right_outputs, shifted(evidence.right_outputs)
    need = math.ceil(evidence.leeway.too_many_wrong * len(evidence.cases))

    def spoiled(names: Collection[str]) -> Trial:
        outputs = {name: other[name] if name in names else output for name, output in right.items()}
        return Trial(f"{len(names)} cases exchanged ({', '.join(sorted(names))})", outputs)

    wrong = evidence.certainly_wrong(other)
    if len(wrong) < need or not _bar_allows(evidence, Trial("right outputs of other cases", other), wrong, need):
        return ""
    singles = {name: spoiled([name]) for name in evidence.cases if name in wrong}
    scores = evidence.decide_all(list(singles.values()))
    free = [name for name, trial in singles.items() if scores[trial.name].accepted]
    if len(free) < need:
        return ""
    losses = {name: abs((scores[singles[name].name].value or 0.0) - (evidence.reached.value or 0.0)) for name in free}
    cheapest, chance = sorted(free, key=losses.__getitem__), random.Random(need)
    chosen = [cheapest[:need], free[:need], free[-need:], *(chance.sample(free, need) for _ in range(SAMPLES))]
    trials = list(map(spoiled, chosen))
    scores = evidence.decide_all(trials)
    if not any(scores[trial.name].accepted for trial in trials):
        return ""
    return f"Accepted, though {need} of {len(evidence.cases)} cases are wrong."


def _bar_allows(evidence: Evidence, exchanged: Trial, wrong: Collection[str], need: int) -> bool:
    """Whether the metric alone would accept so many wrong cases, those that cost least."""
    score, metric = evidence.decide_all([exchanged])[exchanged.name], evidence.harness.metric
    if score.state is not ScoreState.SCORED or evidence.reached.value is None:
        return False
    before, after = metrics_by_case(evidence.reached, evidence.harness), metrics_by_case(score, evidence.harness)
    costs = sorted((after[name] - before[name] for name in wrong), key=abs)
    left = evidence.reached.value + sum(costs[:need]) / len(before)
    return metric.accepts(left)


def _cases_that_count(evidence: Evidence) -> list[Case]:
    wrong = Trial("every case wrong", with_wrong_cases(evidence.right_outputs, evidence.right_outputs))
    score = evidence.decide_all([wrong])[wrong.name]
    missed = evidence.unnoticed(score, evidence.cases)
    return [case for name, case in evidence.cases.items() if name not in missed]


def smallest_effect(count: int, share: float) -> float:
    """The smallest drop of a success rate `share` that `count` independent cases show, one-sided exact binomial test.

    1.0 when no drop is shown. Worked by hand for share 1: any miss is significant, so 1 - (1 - d)^n = 0.8.
    """
    share = min(share, 1.0)
    critical = count - 1 if share >= 1 - 1e-12 else int(binom.ppf(LEVEL, count, share)) - 1
    if critical < 0:
        return 1.0
    if binom.cdf(critical + 1, count, share) <= LEVEL:
        critical += 1

    def lack(drop: float) -> float:
        return float(binom.cdf(critical, count, max(0.0, share - drop)) - POWER)

    return float(brentq(lack, 0.0, share)) if lack(share) >= 0 > lack(0.0) else 1.0

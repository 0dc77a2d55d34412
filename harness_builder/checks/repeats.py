"""Q6: the same outputs get the same score, in fresh boxes, with a whole processor and with a fraction of one.

This is also where warm boxes are checked: every grading here is in a fresh one, and wrong outputs are among them.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evals.grading import Grader, Grading
from evals.score import Score, ScoreState
from harness_builder.evidence import Evidence, no_infrastructure_failure
from harness_builder.finding import Finding, failed, passed
from harness_builder.load import slowed
from harness_builder.probes.degraded import late
from harness_builder.probes.lists import long
from harness_builder.source import may_vary
from harness_builder.trial import Trial

ID, TITLE = "Q6", "same outputs, same scores"
QUIET, BUSY = 3, 2
"""Fresh gradings of right outputs, and as many of mixed ones: ten. Two more kinds where anything could vary."""
OFTEN, SOMETIMES = 20, 8
"""Further gradings in warm boxes when the source names anything that could vary: of the usual kinds, of the others."""
BEST, BY_LOT = 2, 4
"""Outputs that were refused in warm boxes and are looked at in fresh ones."""
REMEDY = "Remove randomness, clocks, time limits and state from it, or seed what must be random."


def look(evidence: Evidence) -> Finding:
    right = evidence.right_outputs
    kinds, more = [right, evidence.mixed_outputs], [1, 1]
    if may_vary(evidence.harness):
        kinds, more = [*kinds, long(right), late(right)], [OFTEN, OFTEN, SOMETIMES, SOMETIMES]
    order = [kind for kind, times in enumerate(more) for _ in range(times)]
    fresh = _fresh(evidence, kinds)
    warm = evidence.judge_each([Grading(kinds[kind], evidence.validation) for kind in order])
    for score in (*fresh, *warm):
        evidence.decided(score, "a repeated grading", evidence.validation)
    for kind in range(len(kinds)):
        mine = [score for its, score in zip(order, warm, strict=True) if its == kind]
        if finding := _disagreement([*fresh[kind :: len(kinds)], *mine]):  # fresh ones take turns
            return finding
    refused = _refused(evidence)
    again = evidence.slots.each(
        refused, lambda pair: evidence.fresh.judge(pair[0].outputs, evidence.harness, evidence.validation)
    )
    for (trial, earlier), score in zip(refused, again, strict=True):
        no_infrastructure_failure(score)
        if not score.same_verdict(earlier):
            told = f"In a fresh box the score is another than in one that is used again: {trial.name}."
            return failed(told, "Judge outputs by themselves, wherever and whenever it is done.")
    return passed(
        f"{len(fresh)} fresh gradings agree, {len(warm)} in warm boxes, and {len(refused)} refused outputs in both."
    )


def _refused(evidence: Evidence) -> list[tuple[Trial, Score]]:
    """Of what warm boxes have refused a few, the best and some by lot: what is lax elsewhere would accept them."""
    seen = {id(trial.outputs): (trial, score) for trial, score in evidence.judged if trial.formed}
    refused = [pair for pair in seen.values() if pair[1].state is ScoreState.SCORED and not pair[1].accepted]
    metric = evidence.harness.metric
    refused.sort(key=lambda pair: abs((pair[1].value or 0.0) - metric.best))
    rest = refused[BEST:]
    return refused[:BEST] + secrets.SystemRandom().sample(rest, min(BY_LOT, len(rest)))


def _fresh(evidence: Evidence, kinds: Sequence[Mapping[str, Any]]) -> list[Score]:
    def judge(grader: Grader) -> Callable[[Mapping[str, Any]], Score]:
        return lambda outputs: grader.judge(outputs, evidence.harness, evidence.validation)

    quiet = evidence.slots.each([*kinds] * QUIET, judge(evidence.fresh))
    usual = min(score.seconds for score in quiet)
    slow = slowed(evidence.fresh, usual, evidence.harness.grading_sec)
    return quiet + evidence.slots.each([*kinds] * BUSY, judge(slow), together=True)


def _disagreement(scores: Sequence[Score]) -> Finding | None:
    if all(score.same_verdict(scores[0]) for score in scores):
        return None
    values = ", ".join(dict.fromkeys(f"{score.value:.6g}" for score in scores if score.value is not None))
    if "," not in values:
        values += " (single cases or checks differ)"
    return failed(f"The same outputs got different scores: {values}.", REMEDY)

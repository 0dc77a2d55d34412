"""Seeing a witness: the flawed harness judges it wrongly or unsteadily, and its sound twin does not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.grading import PLAIN, Circumstances, Grader
from evals.harness import Harness, parse_harness
from evals.score import Score
from evals.splits import Split
from evals.task import Task
from harness_builder.load import slowed
from harness_builder.zoo.specimen import Specimen, load_zoo, twin_of

DAY = 86_400.0
REPEATS = 12
UNDER = {
    "repeat": [PLAIN] * REPEATS,
    "load": [PLAIN] * REPEATS,
    "shuffle": [PLAIN, *(Circumstances(shuffle=seed) for seed in range(1, 6))],
    "clock": [PLAIN, *(Circumstances(clock_shift_sec=days * DAY) for days in (-3653.3, -182.5, 182.5, 3655.7))],
    "time_zone": [PLAIN, *(Circumstances(time_zone=zone) for zone in ("Pacific/Kiritimati", "America/Anchorage"))],
}


@dataclass(frozen=True)
class Seen:
    """Whether the witness shows the fault, and whether the twin is free of it."""

    fault: bool
    twin_free: bool
    said: str = ""

    @property
    def holds(self) -> bool:
        return self.fault and self.twin_free


def see(flawed: Specimen, twin: Specimen, grader: Grader) -> Seen:
    """Run the witness against both."""
    if flawed.witness is None:
        raise ValueError(f"{flawed.id} has no witness")
    if flawed.witness.kind == "unstable":
        return Seen(_is_unstable(flawed, flawed, grader), not _is_unstable(flawed, twin, grader))
    wrongly = flawed.witness.kind == "wrongly_accepted"
    mine, others = (grader.grade(flawed.witness.submission, *_parts(each)) for each in (flawed, twin))
    said = f"flawed: {mine.state} {mine.detail}; twin: {others.state} {others.detail}"
    return Seen(mine.accepted is wrongly, others.accepted is not wrongly, said)


def see_all(
    chosen: Sequence[Specimen], grader_for: Callable[[Task], Grader], tell: Callable[[str], None]
) -> list[tuple[Specimen, Seen]]:
    """Every witness among the chosen specimens."""
    zoo, found = load_zoo(), []
    for specimen in chosen:
        if specimen.is_flawed:
            seen = see(specimen, twin_of(specimen, zoo), grader_for(specimen.task))
            found.append((specimen, seen))
            tell(f"{'seen' if seen.holds else 'NOT SEEN'}: {specimen.id} {'' if seen.holds else seen.said}".rstrip())
    return found


def _parts(specimen: Specimen) -> tuple[Harness, Split]:
    return parse_harness(specimen.harness), specimen.task.validation


def _is_unstable(flawed: Specimen, judge: Specimen, grader: Grader) -> bool:
    """Whether the same outputs of the witness get different scores."""
    assert flawed.witness is not None
    harness, split = _parts(judge)
    outputs = dict(grader.collect(flawed.witness.submission, split).outputs)
    if flawed.witness.how == "alone":
        return _differs_alone(grader.judge(outputs, harness, split), outputs, harness, split, grader)
    unders = UNDER[flawed.witness.how]
    half = len(unders) // 2
    scores = [grader.judge(outputs, harness, split, under) for under in unders[:half]]
    if flawed.witness.how == "load":
        grader = slowed(grader, min(score.seconds for score in scores), harness.grading_sec)
    scores += [grader.judge(outputs, harness, split, under) for under in unders[half:]]
    return any(not score.same_verdict(scores[0]) for score in scores)


def _differs_alone(
    company: Score, outputs: dict[str, object], harness: Harness, split: Split, grader: Grader
) -> bool:
    together = {case.id: dict(case.metrics) for case in company.cases}
    for case in split.cases:
        alone = grader.judge({case.id: outputs[case.id]}, harness, Split(split.name, (case,)))
        if not alone.cases or dict(alone.cases[0].metrics) != together.get(case.id):
            return True
    return False

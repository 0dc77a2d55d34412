"""Q14: every requirement is answered for by a check that goes red when it is violated."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from evals.score import Score, ScoreState
from harness_builder.bar import passing_alone
from harness_builder.blindness import Spot, blind_spot
from harness_builder.evidence import Evidence
from harness_builder.extremes import spread
from harness_builder.finding import Finding, failed, passed
from harness_builder.forms import is_about_form
from harness_builder.probes.degraded import wrong_everywhere
from harness_builder.subjects import unseen_subject
from harness_builder.trial import Trial
from harness_builder.violations import Violation, violations

ID, TITLE = "Q14", "requirements covered"
ALONE = 5
"""Cases in which a requirement is broken alone, of each way to break it."""


def mapped(evidence: Evidence) -> Finding:
    """Whether the table of requirements is complete; needs no run."""
    wanted = [requirement.id for requirement in evidence.task.ours.requirements]
    absent = [name for name in wanted if name not in evidence.harness.requirements]
    unknown = [name for name in evidence.harness.requirements if name not in wanted]
    if absent:
        return failed(f"No check answers for {', '.join(absent)}.", "Map each in [requirements] of harness.toml.")
    if unknown:
        return failed(f"The task has no requirement {', '.join(unknown)}.", f"Its ids are {', '.join(wanted)}.")
    return passed()


def look(evidence: Evidence) -> Finding:
    """Runs last: all well-formed wrong outputs tried before are violating submissions."""
    ways = [way for way in map(partial(_certain, evidence), _ways(evidence)) if way.cases]
    broken = evidence.try_all([way.trial for way in ways])
    wrong = [
        (trial, score)
        for trial, score in evidence.judged
        if score.state is ScoreState.SCORED and trial.outputs != evidence.right_outputs
    ]
    about_form = {each.id for each in evidence.task.ours.requirements if is_about_form(each.text)}
    idle = [
        f"{requirement} ({', '.join(checks)})"
        for requirement, checks in evidence.harness.requirements.items()
        if not any(_is_red(score, checks) for trial, score in wrong if trial.formed or requirement in about_form)
    ]
    if idle:
        told = f"No wrong outputs turned a check of these requirements red: {'; '.join(idle)}. {len(wrong)} were tried."
        return failed(told, "Have them fail when it is violated, by outputs of the right form too.")
    for part in (_fields_covered, _subjects_seen, _none_unseen, partial(_none_broken, ways=ways, scores=broken)):
        finding = part(evidence)
        if finding.verdict == "fail":
            return finding
    return finding


def _fields_covered(evidence: Evidence) -> Finding:
    """Every field that an expectation speaks of turns some requirement's check red when it alone is wrong."""
    names = [*dict.fromkeys(name for names in evidence.harness.requirements.values() for name in names)]
    trials = [wrong_everywhere(evidence.right_outputs, place) for place in evidence.places if place.is_field]
    scores = evidence.decide_all(trials)
    for field, trial in zip(evidence.fields, trials, strict=True):
        if evidence.certainly_wrong(trial.outputs) and not _is_red(scores[trial.name], names):
            told = f"No requirement's check goes red when {field} is wrong in every case."
            return failed(told, "Map a check that looks at it to the requirement that is about it.")
    return passed()


def _subjects_seen(evidence: Evidence) -> Finding:
    """What a requirement is about, its check looks at."""
    if unseen := unseen_subject(evidence):
        requirement, field = unseen
        told = f"No check of {requirement} goes red for anything that stands in {field} alone."
        return failed(told, f"Map a check of {field} to it.")
    return passed()


def _none_broken(evidence: Evidence, ways: Sequence[Violation], scores: Mapping[str, Score]) -> Finding:
    """What breaks a requirement as its text has it must be refused, and a single case of it where the text says so."""
    alone = {way: _alone(evidence, way, scores[way.name]) for way in ways}
    singles = evidence.try_all([trial for trials in alone.values() for trial in trials])
    for way, trials in alone.items():
        accepted = [trial.name for trial in trials if singles[trial.name].accepted]
        if scores[way.name].accepted:
            return failed(f"Accepted: {way.name} in {len(way.cases)} cases.", _remedy(way))
        if accepted and (way.surely or len(accepted) == len(trials)):
            return failed(f"Accepted: {accepted[0]}.", _remedy(way))
    for requirement, checks in evidence.harness.requirements.items():
        mine = [way for way in ways if way.requirement == requirement and way.surely]
        if mine and not any(_is_red(scores[way.name], checks) for way in mine):
            return failed(f"No check of {requirement} goes red for {mine[0].name}.", _remedy(mine[0]))
    count = len(evidence.harness.requirements)
    told = f"{len(ways)} ways to break one, by its text, refused" if ways else "no text names a way to break one"
    return passed(f"Each of {count} goes red for some wrong outputs; {told}.")


def _ways(evidence: Evidence) -> Iterator[Violation]:
    right = {name: output for name, output in evidence.right_outputs.items() if name in evidence.cases}
    for requirement in evidence.task.ours.requirements:
        yield from violations(requirement, right, evidence.cases)


def _certain(evidence: Evidence, way: Violation) -> Violation:
    """The violation without what may be right after all; nothing at all of one that needs its number of cases."""
    if way.by_text:
        return way
    wrong = evidence.certainly_wrong(way.outputs)
    return way.only(wrong) if way.every or way.cases <= wrong else way.only(set())


def _alone(evidence: Evidence, way: Violation, score: Score) -> list[Trial]:
    """Some of its cases each by itself, small and large ones, as far as the metric alone would let it pass."""
    if not way.every or score.accepted:
        return []
    passing = passing_alone(evidence, score, way.cases)
    by_size = sorted(passing, key=lambda name: len(json.dumps(evidence.cases[name].input)))
    return [way.in_case(name) for name in spread(by_size, ALONE)]


def _none_unseen(evidence: Evidence) -> Finding:
    spot = blind_spot(evidence)
    return failed(spot.told, _remedy(spot)) if spot else passed()


def _remedy(broken: Violation | Spot) -> str:
    return f"Have a check of {broken.requirement} fail whenever an output breaks it, in every case that it is about."


def _is_red(score: Score, checks: object) -> bool:
    return any(name in checks for name in score.failed_checks)  # type: ignore[operator]

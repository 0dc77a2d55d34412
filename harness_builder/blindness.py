"""What a check does not see although it sees the like: some kind of case, or some way to be wrong.

A harness may let a share of the cases be wrong, where its task does. But a check that fails for one wrong case and not
for another, without a word in its requirement that tells the two apart, does not check what the requirement says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from evals.score import Score, ScoreState
from harness_builder.bar import passing_alone
from harness_builder.evidence import Evidence
from harness_builder.extremes import extreme_cases, spread
from harness_builder.leeway import allows_a_share
from harness_builder.places import Place
from harness_builder.probes.degraded import with_wrong_cases, with_wrong_place, wrong_everywhere
from harness_builder.probes.lists import without_item
from harness_builder.probes.numbers import scaled
from harness_builder.shapes import Outputs
from harness_builder.trial import Trial
from harness_builder.violations import agrees, speaks_of_every_case

TELLS_APART = (
    r"\b(?:where|when|whenever|if|only|unless|except|otherwise|with|without|tie[ds]?|for(?! (?:each|every|all)))\b"
)
SEEN, LOOKED_AT = 0.5, 2
"""The share of wrong cases from which on a check sees them one by one; the cases in which other ways are tried."""
FAR = 0.5


@dataclass(frozen=True)
class Spot:
    requirement: str
    check: str
    trial: Trial

    @property
    def told(self) -> str:
        return f"Accepted: {self.trial.name}; {self.check} fails for others like that."


def is_about_all_alike(text: str) -> bool:
    """Whether a requirement says that something is right, and neither in which cases nor in how many."""
    alike = not allows_a_share(text) and not re.search(TELLS_APART, text, re.IGNORECASE)
    return alike and (speaks_of_every_case(text) or agrees(text))


def blind_spot(evidence: Evidence) -> Spot | None:
    """The first wrong output that is accepted, of a check that sees others like it; free where the bar is high."""
    seen = _seen(evidence)
    for spots in (_kinds(evidence, seen), _ways(evidence, seen)):
        tried = list(spots)
        scores = evidence.try_all([spot.trial for spot in tried])
        for spot in tried:
            score = scores[spot.trial.name]
            if (
                score.accepted
                and spot.check not in score.failed_checks
                and evidence.certainly_wrong(spot.trial.outputs)
            ):
                return spot
    return None


@dataclass(frozen=True)
class Seen:
    """What a requirement's check makes of single wrong cases: those for which it fails, and those for which not."""

    requirement: str
    check: str
    red: Sequence[str]
    green: Sequence[str]
    places: Sequence[Place]
    """The fields for which it fails when they are wrong everywhere."""


def _seen(evidence: Evidence) -> list[Seen]:
    about = [each.id for each in evidence.task.ours.requirements if is_about_all_alike(each.text)]
    right = evidence.right_outputs
    spoiled = with_wrong_cases(right, right)
    everywhere = Trial("every case wrong", spoiled)
    score = evidence.try_all([everywhere])[everywhere.name]
    passing = passing_alone(evidence, score, evidence.certainly_wrong(spoiled)) if about else []
    chosen = extreme_cases({name: {"input": evidence.cases[name].input, "output": right[name]} for name in passing})
    fields = [place for place in evidence.places if place.is_field]
    singles = {
        name: [_alone(right, *way, name) for way in (("wrong", spoiled), *_off(right).items())] for name in chosen
    }
    if not singles:
        return []
    scores = evidence.try_all([trial for trials in singles.values() for trial in trials])
    scores |= evidence.try_all(list(map(partial(wrong_everywhere, right), fields)))
    found = []
    for requirement in about:
        for check in evidence.harness.requirements[requirement]:
            red = [name for name in chosen if any(_fails(scores[trial.name], check) for trial in singles[name])]
            places = [place for place in fields if _fails(scores[wrong_everywhere(right, place).name], check)]
            if len(red) >= SEEN * len(chosen):
                green = [name for name in chosen if name not in red]
                found.append(Seen(requirement, check, red, green, places))
    return found


def _kinds(evidence: Evidence, seen: Sequence[Seen]) -> Iterator[Spot]:
    """The fields that a check sees, wrong in a case that it does not see."""
    right = evidence.right_outputs
    for each in seen:
        for place in each.places:
            wrong = with_wrong_place(right, place)
            for name in each.green:
                yield Spot(each.requirement, each.check, _alone(right, f"{place.name} wrong", wrong, name))


def _ways(evidence: Evidence, seen: Sequence[Seen]) -> Iterator[Spot]:
    """The fields that a check of values sees, wrong in other ways in a case that it sees."""
    right = evidence.right_outputs
    about_values = {each.id for each in evidence.task.ours.requirements if agrees(each.text)}
    for each in seen:
        for place in each.places if each.requirement in about_values else ():
            for what, outputs in _wrong_ways(right).items():
                wrong = {name: _with_field(right[name], place, outputs[name]) for name in right}
                for name in spread(each.red, LOOKED_AT):
                    yield Spot(each.requirement, each.check, _alone(right, f"{place.name} {what}", wrong, name))


def _wrong_ways(right: Outputs) -> dict[str, Outputs]:
    return {
        **_off(right),
        "without the first item": without_item(right, 0),
        "null": {name: _nothing(output) for name, output in right.items()},
    }


def _off(right: Outputs) -> dict[str, Outputs]:
    signs = {"larger by half": FAR, "smaller by half": -FAR}
    return {way: scaled(scaled(right, factor, float), factor, int) for way, factor in signs.items()}


def _nothing(output: Any) -> Any:
    return dict.fromkeys(output) if isinstance(output, Mapping) else None


def _with_field(output: Any, place: Place, other: Any) -> Any:
    """An output with one of its fields as in another; the whole where it has none."""
    if not place.steps or not isinstance(output, Mapping):
        return other
    name = place.steps[0]
    return {**output, name: other[name]}


def _alone(right: Outputs, what: str, wrong: Outputs, name: str) -> Trial:
    return Trial(f"{what} in {name} alone", {**right, name: wrong[name]}, formed=False)


def _fails(score: Score, check: str) -> bool:
    return score.state is ScoreState.SCORED and check in score.failed_checks

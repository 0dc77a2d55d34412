"""Right outputs with something else for a number that is computed from it: what a tired author takes for the same.

A harness that also accepts the negative, the rounded one or the percentage compares with a second value; a number that
is off by some dose never meets it.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness_builder.leeway import ANY
from harness_builder.places import EVERYWHERE, Place
from harness_builder.shapes import Outputs, Path, is_number
from harness_builder.trial import Trial

RELATIVES: dict[str, Callable[[float], float]] = {
    "its negative": lambda number: -number,
    "its absolute value": abs,
    "rounded to a whole one": round,
    "rounded down": math.floor,
    "rounded up": math.ceil,
    "rounded to one decimal": lambda number: round(number, 1),
    "rounded to two digits": lambda number: float(f"{number:.2g}"),
    "in percent": lambda number: 100 * number,
    "as a fraction of a hundred": lambda number: number / 100,
    "a thousand times as much": lambda number: 1000 * number,
    "a thousandth of it": lambda number: number / 1000,
    "twice as much": lambda number: 2 * number,
    "half of it": lambda number: number / 2,
    "one more": lambda number: number + 1,
    "one less": lambda number: number - 1,
    "what it lacks to one": lambda number: 1 - number,
    "one divided by it": lambda number: 1 / number,
    "its square": lambda number: number * number,
    "its root": math.sqrt,
    "its logarithm": math.log,
    "its exponential": math.exp,
}
OF_THE_INPUT: dict[str, Callable[[float, float], float]] = {
    "plus {}": lambda number, other: number + other,
    "minus {}": lambda number, other: number - other,
    "times {}": lambda number, other: number * other,
    "divided by {}": lambda number, other: number / other,
    "times 1 - {}": lambda number, other: number * (1 - other),
    "divided by 1 - {}": lambda number, other: number / (1 - other),
    "times 1 - 1 / {}": lambda number, other: number * (1 - 1 / other),
    "divided by 1 - 1 / {}": lambda number, other: number / (1 - 1 / other),
}
"""What is taken of a number and one that the input has: normalised otherwise, corrected or not."""
LARGEST = 1e12
SUBJECTS = {
    r"\bsigns?\b|\bnegat": ("its negative", "its absolute value"),
    r"\bround": ("rounded",),
    r"\bpercent|%|\bfraction": ("in percent", "as a fraction"),
}
"""What a sentence that leaves something open may speak of, and the beginnings of the names it concerns."""


def relatives(right: Outputs, places: Sequence[Place], instruction: str) -> list[Trial]:
    """Trials in which one of them stands for the numbers of one place, or of all, in every case."""
    ways = {name: other for name, other in RELATIVES.items() if not name.startswith(_left_open(instruction))}
    where = [EVERYWHERE, *(place for place in places if not place.end and place != EVERYWHERE)]
    trials = [
        Trial(
            f"{name} for {'every number' if place == EVERYWHERE else place.name}", place.changed(right, _taken(other))
        )
        for place in where
        for name, other in ways.items()
    ]
    return [trial for trial in trials if trial.outputs != right]


def relatives_of_input(right: Outputs, inputs: Mapping[str, Any], places: Sequence[Place]) -> list[Trial]:
    """Trials in which the numbers of one field, or of all, are related to a number that each case's input has."""
    known = {name: _numbers_in(inputs[name]) for name in right if name in inputs}
    everywhere = set.intersection(*map(set, known.values())) if len(known) == len(right) else set()
    where = [EVERYWHERE, *(place for place in places if place.is_field and place != EVERYWHERE)]
    trials = [
        Trial(
            f"{'every number' if place == EVERYWHERE else place.name} {way.format(noun)}",
            place.changed(right, _related({name: known[name][noun] for name in right}, other)),
        )
        for place in where
        for noun in sorted(everywhere)
        for way, other in OF_THE_INPUT.items()
    ]
    return [trial for trial in trials if trial.outputs != right]


def _numbers_in(value: Any) -> dict[str, float]:
    """Numbers that an input names, lengths of its lists, and their powers as in Adam's bias correction."""
    named = value if isinstance(value, Mapping) else {"the input": value}
    numbers = {str(name): each for name, each in named.items() if is_number(each) and abs(each) < LARGEST}
    lengths = {f"the length of {name}": len(each) for name, each in named.items() if isinstance(each, list)}
    powers = {
        f"{name} to the power of {other}": number**exponent
        for name, number in numbers.items()
        for other, exponent in {**numbers, **lengths}.items()
        if 0 < number < 1 <= exponent and isinstance(exponent, int)
    }
    return {**numbers, **lengths, **powers}


def _related(of_input: Mapping[str, float], other: Callable[[float, float], float]) -> Callable[[str, Path, Any], Any]:
    return lambda name, path, leaf: _taken(lambda number: other(number, of_input[name]))(name, path, leaf)


def rounded(right: Outputs) -> dict[str, Outputs]:
    """Every number written with too few digits, and as nothing but that."""
    ways = (name for name in RELATIVES if name.startswith("rounded to"))
    return {f"every number {name}": EVERYWHERE.changed(right, _taken(RELATIVES[name])) for name in ways}


def _left_open(instruction: str) -> tuple[str, ...]:
    sentences = [each for each in re.split(r"(?<=[.;:!?])\s+", instruction) if re.search(ANY, each, re.IGNORECASE)]
    return tuple(
        name
        for subject, names in SUBJECTS.items()
        if any(re.search(subject, sentence, re.IGNORECASE) for sentence in sentences)
        for name in names
    )


def _taken(other: Callable[[float], float]) -> Callable[[str, Path, Any], Any]:
    def taken(_: str, __: Path, leaf: Any) -> Any:
        if not is_number(leaf):
            return leaf
        try:
            value = other(leaf)
        except (ValueError, ZeroDivisionError, OverflowError):
            return leaf
        fits = math.isfinite(value) and (isinstance(leaf, float) or isinstance(value, int))
        return value if fits else leaf

    return taken

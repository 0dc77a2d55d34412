"""What an expectation says plainly of an output, whatever a harness makes of it.

The gate tests a harness with outputs that are certainly wrong or certainly right. Which ones are is read off the
expectations: a number is a point, {"low", "high"} an interval, {"value", "tolerance"} a point with room, text and
booleans are themselves, objects and lists say it part by part. A correct output calibrates this: where it does not
itself agree with the expectation, that part says nothing. The answer is then `None`, never a guess.

What this cannot do: judge outputs whose expectation is of another form (labels to compute an accuracy from, say).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from evals.task import Task
from harness_builder.shapes import is_number, leaves

UNKNOWN_TOLERANCE = 1e-2
"""Relative; assumed where no tolerance is stated."""
CLEARLY = 10.0
"""How many tolerances off a number is beyond doubt, and how many times nearer it must be to be right beyond doubt."""
MOST_TOLERANT = 0.2
"""A larger number in a sentence about agreement is something else. One too many makes the gate more careful."""
BARELY = 1.5 * CLEARLY
"""How many tolerances off a number is that is wrong beyond doubt, but only just."""
FLOOR = 1e-12
"""No number is asked to be exact to the last bit."""
KIND = re.compile("relative|absolute", re.IGNORECASE)
NUMBER = r"(10\^\{?-\d+\}?|\d+(?:\.\d+)?(?:e-?\d+)?)"
ABOUT_TOLERANCE = re.compile(r"toleran|within|relative|absolute|accura|agree|precis|decimal|error of", re.IGNORECASE)


@dataclass(frozen=True)
class Tolerance:
    """How exact a task wants its numbers: ways to read what it states, each a relative and an absolute part."""

    readings: tuple[tuple[float, float], ...] = ((UNKNOWN_TOLERANCE, 0.0),)
    stated: bool = False

    def least(self, number: float) -> float:
        """By how much a number may be off in any reading."""
        return min(self._allowed(number))

    def most(self, number: float) -> float:
        """By how much it may be off in some reading."""
        return max(FLOOR, *self._allowed(number))

    @property
    def told(self) -> str:
        """What is allowed in the widest reading."""
        relative, absolute = (max(parts) for parts in zip(*self.readings, strict=True))
        parts = [f"a {kind} {part:g}" for kind, part in (("relative", relative), ("absolute", absolute)) if part]
        said = f"The task allows {' and '.join(parts) or 'nothing'}."
        return said if self.stated else f"The task states no tolerance; {relative:g} of the number is taken for it."

    def is_beyond(self, value: float, expected: float) -> bool:
        """Whether a value is off by many tolerances in any reading."""
        return distance(value, expected) > CLEARLY * self.most(expected)

    def _allowed(self, number: float) -> list[float]:
        return [relative * abs(number) + absolute for relative, absolute in self.readings]


def task_tolerance(task: Task) -> Tolerance:
    """What the task's author set as a key, else what the instruction states."""
    stated = task.ours.tolerance
    return Tolerance(((stated, 0.0),), True) if stated is not None else stated_tolerance(task.instruction)


def stated_tolerance(text: str) -> Tolerance:
    """The tolerance that an instruction states in a sentence about agreement, like "to a relative error of 1e-6"."""
    found: dict[str, list[float]] = {"relative": [], "absolute": [], "": []}
    for sentence in re.split(r"(?<=[.;:!?])\s+|\n\s*\n", text):
        if states_tolerance(sentence):
            for kind, number in _small_numbers(sentence):
                found[kind].append(number)
    relative, absolute, unsaid = found["relative"], found["absolute"], found[""]
    if relative or absolute:
        ends = (min, max)
        readings = {(end(relative, default=0.0), end(absolute, default=0.0)) for end in ends}
        return Tolerance(tuple(sorted(readings)), stated=True)
    if unsaid:
        readings = {reading for number in (min(unsaid), max(unsaid)) for reading in ((number, 0.0), (0.0, number))}
        return Tolerance(tuple(sorted(readings)), stated=True)
    return Tolerance()


def states_tolerance(sentence: str) -> bool:
    """Whether it speaks of agreement and has a number that may say how near."""
    return bool(ABOUT_TOLERANCE.search(sentence)) and any(_small_numbers(sentence))


def _small_numbers(sentence: str) -> Iterator[tuple[str, float]]:
    """Numbers that may be tolerances, with the kind that the nearest word says they are."""
    for digits, what in re.findall(r"(\d+)\s+(decimal|significant)", sentence, re.IGNORECASE):
        if 0 < int(digits) <= 15:
            decimal = what.lower() == "decimal"
            yield "absolute" if decimal else "relative", (0.5 if decimal else 5.0) * 10.0 ** -int(digits)
    words = [(match.start(), match.end(), match[0].lower()) for match in KIND.finditer(sentence)]
    for match in re.finditer(NUMBER + r"(\s*(?:%|percent))?", sentence, re.IGNORECASE):
        number, percent = match.groups()
        value = 10.0 ** float(number[3:].strip("{}")) if number.startswith("10^") else float(number)
        value = value / 100 if percent else value
        if 0 < value <= MOST_TOLERANT:
            near = ((max(start - match.end(), match.start() - end), word) for start, end, word in words)
            _, kind = min(near, default=(0, ""))
            yield "relative" if percent else kind, value


def plainly_wrong(expected: Any, right: Any, output: Any, tolerance: Tolerance) -> bool | None:
    """True when the output certainly disagrees with the expectation, False when it certainly agrees, else None.

    `right` is a correct output for the same case.
    """
    interval = interval_of(expected, right)
    if interval is not None:
        low, high = interval
        return not (is_number(output) and low <= output <= high)
    if isinstance(expected, dict | list):
        return _parts_wrong(expected, right, output, tolerance)
    if is_number(expected):
        return _number_wrong(expected, right, output, tolerance)
    return output != expected if right == expected and type(right) is type(expected) else None


def interval_of(expected: Any, right: Any) -> tuple[float, float] | None:
    """The interval an expectation stands for, if it does and the correct output lies in it."""
    if not is_number(right):
        return None
    interval = _interval(expected)
    return interval if interval is not None and interval[0] <= right <= interval[1] else None


def _interval(expected: Any) -> tuple[float, float] | None:
    if isinstance(expected, list) and len(expected) == 2 and all(map(is_number, expected)):
        return expected[0], expected[1]
    if not isinstance(expected, dict):
        return None
    for low, high in (("low", "high"), ("min", "max"), ("lower", "upper")):
        if is_number(expected.get(low)) and is_number(expected.get(high)):
            return expected[low], expected[high]
    center = next(
        (expected[key] for key in ("value", "mean", "expected", "target") if is_number(expected.get(key))), None
    )
    absolute = [expected[key] for key in ("tolerance", "tol", "atol", "abs_tol") if is_number(expected.get(key))]
    relative = [abs(center or 0) * expected[key] for key in ("rtol", "rel_tol") if is_number(expected.get(key))]
    if center is None or not absolute + relative:
        return None
    room = max(absolute + relative)
    return center - room, center + room


def _parts_wrong(expected: Any, right: Any, output: Any, tolerance: Tolerance) -> bool | None:
    if isinstance(expected, dict) and isinstance(right, dict):
        keys: Iterable[Any] = [key for key in expected if key in right]
        if keys and not (isinstance(output, dict) and all(key in output for key in keys)):
            return True
    elif isinstance(expected, list) and isinstance(right, list) and len(right) == len(expected):
        keys = range(len(expected))
        if not isinstance(output, list) or len(output) != len(expected):
            return True
    else:
        return None
    verdicts = [plainly_wrong(expected[key], right[key], output[key], tolerance) for key in keys]
    if True in verdicts:
        return True
    return False if verdicts and all(verdict is False for verdict in verdicts) else None


def _number_wrong(expected: float, right: Any, output: Any, tolerance: Tolerance) -> bool | None:
    if not is_number(right) or not _corresponds(right, expected, tolerance):
        return None
    if not is_number(output) or tolerance.is_beyond(output, expected):
        return True
    return False if distance(output, expected) <= tolerance.least(expected) / CLEARLY else None


def _corresponds(right: float, expected: float, tolerance: Tolerance) -> bool:
    """Whether a correct output's number is the one that is expected there."""
    return distance(right, expected) <= max(tolerance.most(expected), UNKNOWN_TOLERANCE * abs(expected))


def _off(value: float, expected: float) -> float:
    return distance(value, expected) / max(abs(expected), 1e-9)


def distance(value: float, expected: float) -> float:
    """How far apart they are; infinite where one is too long a number for a float."""
    try:
        return float(abs(value - expected))
    except OverflowError:
        return float("inf")


def barely_wrong(expected: Any, right: Any, tolerance: Tolerance, sign: int) -> Any:
    """A correct output with every number that the expectation speaks of just so far off that it is beyond doubt."""
    return _moved(expected, right, lambda wanted, value: _just_outside(wanted, value, tolerance, sign))


def barely_right(expected: Any, right: Any, sign: int) -> Any:
    """A correct output with every number for which there is an interval near one end of it."""

    def near_the_end(expected: Any, right: Any) -> Any:
        interval = interval_of(expected, right)
        if interval is None or isinstance(right, int) or interval[0] == interval[1]:
            return right
        low, high = interval
        return low + EDGE * (high - low) if sign < 0 else high - EDGE * (high - low)

    return _moved(expected, right, near_the_end)


EDGE = 0.02
"""Where in an interval its end is, as a share of its width."""


def _moved(expected: Any, right: Any, move: Callable[[Any, Any], Any]) -> Any:
    """The correct output with every number moved that has an interval or a number for an expectation."""
    if is_number(right):
        return move(expected, right)
    if isinstance(expected, dict) and isinstance(right, dict):
        return {key: _moved(expected[key], part, move) if key in expected else part for key, part in right.items()}
    if isinstance(expected, list) and isinstance(right, list) and len(expected) == len(right):
        return [_moved(*pair, move) for pair in zip(expected, right, strict=True)]
    return right


def _just_outside(expected: Any, right: Any, tolerance: Tolerance, sign: int) -> Any:
    interval = interval_of(expected, right)
    if interval is not None:
        low, high = interval
        room = BARELY * (high - low or abs(high) or 1.0) / CLEARLY
        return high + room if sign > 0 else low - room
    if not is_number(expected) or not _corresponds(right, expected, tolerance):
        return right
    room = BARELY * tolerance.most(expected)
    if isinstance(right, int) and isinstance(expected, int):
        return right + sign * max(1, round(room))
    return right + sign * max(room, FLOOR * CLEARLY * BARELY)


def point_paths(expected: Any, right: Any) -> set[tuple[str | int, ...]]:
    """Paths of a correct output at which the expectation holds the very number, not an interval around it."""
    if interval_of(expected, right) is not None:
        return set()
    if isinstance(expected, dict) and isinstance(right, dict):
        keys: Iterable[Any] = [key for key in expected if key in right]
    elif isinstance(expected, list) and isinstance(right, list) and len(expected) == len(right):
        keys = range(len(expected))
    else:
        point = is_number(expected) and is_number(right) and _off(right, expected) <= UNKNOWN_TOLERANCE
        return {()} if point else set()
    return {(key, *path) for key in keys for path in point_paths(expected[key], right[key])}


def differs_much(right: Any, output: Any) -> bool:
    """Whether two outputs differ in form or text, or in a number by half of it: wrong, where nothing better is known.

    Only for deterministic outputs.
    """
    mine, others = dict(leaves(right)), dict(leaves(output))
    if mine.keys() != others.keys():
        return True
    return any(_leaf_differs(leaf, others[path]) for path, leaf in mine.items())


def _leaf_differs(left: Any, right: Any) -> bool:
    if is_number(left) and is_number(right):
        return _off(right, left) > 0.5
    return bool(left != right)

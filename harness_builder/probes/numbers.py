"""Right outputs whose numbers are wrong: off by dose, by about as much as they may be, or towards the middle."""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from harness_builder.places import EVERYWHERE, of_floats, steps
from harness_builder.shapes import Outputs, Path, at, is_number, leaves, map_leaves

FACTORS = (1e-3, 1e-2, 0.1, 0.5, 1.0, 10.0)
"""By how much of itself a number is off."""
NEARLY = 0.7


def scaled(right: Mapping[str, Any], factor: float, kind: type) -> Outputs:
    """Every number of a kind (float or int) off by `factor` of itself, a zero by `factor`; an int by at least one."""
    return {
        name: map_leaves(output, lambda _, leaf: _off(leaf, factor) if _is_a(kind, leaf) else leaf)
        for name, output in right.items()
    }


def _is_a(kind: type, leaf: Any) -> bool:
    return type(leaf) is kind  # a boolean is no int here


def _off(number: float, factor: float) -> float:
    error = factor * (abs(number) or 1.0)
    if isinstance(number, int):
        return number + (max(1, round(error)) if factor > 0 else min(-1, round(error)))
    return number + error


def inexact(right: Mapping[str, Any], room: Callable[[float], float], *, seed: int = 6) -> Outputs:
    """Every number off, most by about as much as they may be; a zero as if it were what is usual there."""
    chance, usual, floats = random.Random(seed), _medians(right, abs), of_floats(right.values())

    def off(_: str, path: Path, leaf: Any) -> Any:
        if not is_number(leaf) or steps(path) not in floats:
            return leaf
        size = abs(leaf) or usual[steps(path)] or 1.0
        near, far = room(size) * 10 ** chance.uniform(-0.4, 0.4), size * 10 ** chance.uniform(-6, 0)
        return leaf + chance.choice([-1, 1]) * (near if chance.random() < NEARLY else far)

    return EVERYWHERE.changed(right, off)


def _medians(right: Mapping[str, Any], of: Callable[[float], float] = float) -> dict[tuple[str, ...], float]:
    numbers = defaultdict[tuple[str, ...], list[float]](list)
    for output in right.values():
        for path, leaf in leaves(output):
            if is_number(leaf):
                numbers[steps(path)].append(of(leaf))
    return {place: sorted(values)[len(values) // 2] for place, values in numbers.items()}


def inwards(right: Mapping[str, Any], larger: Mapping[str, Any], smaller: Mapping[str, Any]) -> Outputs:
    """Of two ways to be off the one that leads towards the median of such numbers, so that none leaves its range."""
    middle = _medians(right)

    def off(name: str, path: Path, leaf: Any) -> Any:
        if not is_number(leaf):
            return leaf
        return at((smaller if leaf > middle[steps(path)] else larger)[name], path)

    return EVERYWHERE.changed(right, off)

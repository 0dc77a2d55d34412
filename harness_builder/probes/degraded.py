"""Right outputs made worse: by dose, by field, by case. Each is the right outputs with a known part of them wrong."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from harness_builder.probes.nulls import other_leaf, shifted
from harness_builder.shapes import Outputs, Path, field_of, map_leaves

DOSES = (0.25, 0.5, 0.75, 1.0)
FACTORS = (1e-3, 1e-2, 0.1, 0.5, 1.0, 10.0)
"""By how much of itself a number is off."""


def mislabeled(right: Mapping[str, Any], dose: float, *, seed: int = 0) -> Outputs:
    """A share of the cases gets another case's right output; larger doses include the smaller ones."""
    ids = list(right)
    random.Random(seed).shuffle(ids)
    hit, other = set(ids[: max(1, round(dose * len(ids)))]), shifted(right)
    return {name: other[name] if name in hit else right[name] for name in right}


def without_some(right: Mapping[str, Any], dose: float, *, seed: int = 1) -> Outputs:
    """A share of the cases has no output."""
    ids = list(right)
    random.Random(seed).shuffle(ids)
    gone = set(ids[: max(1, round(dose * len(ids)))])
    return {name: output for name, output in right.items() if name not in gone}


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


def shortened(right: Mapping[str, Any], dose: float) -> Outputs:
    """Every list loses a share of its end."""

    def cut(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: cut(item) for key, item in value.items()}
        if isinstance(value, list) and value:
            return [cut(item) for item in value[: len(value) - max(1, round(dose * len(value)))]]
        return value

    return {name: cut(output) for name, output in right.items()}


def mixed(right: Mapping[str, Any], *, seed: int = 4) -> Outputs:
    """Right, slightly off, far off and exchanged outputs in turn: whatever a metric tells apart, it does so here."""
    chance, other = random.Random(seed), shifted(right)

    def off(_: Path, leaf: Any) -> Any:
        if type(leaf) is float:
            return leaf + chance.choice([-1, 1]) * 10 ** chance.uniform(-7, 0) * (abs(leaf) or 1.0)
        return wrong_leaf(leaf, chance) if chance.random() < 0.3 else leaf

    kinds = (lambda name: right[name], lambda name: map_leaves(right[name], off), lambda name: other[name])
    return {name: kinds[place % len(kinds)](name) for place, name in enumerate(right)}


def padded(right: Mapping[str, Any], dose: float) -> Outputs:
    """Every list gets items of other cases at its end, up to `dose` times its length and one more."""
    other = shifted(right)

    def pad(value: Any, more: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: pad(item, more.get(key) if isinstance(more, Mapping) else None) for key, item in value.items()}
        if isinstance(value, list):
            spare = [item for item in more if item not in value] if isinstance(more, list) else []
            return value + (spare * len(value) + spare)[: 1 + round(dose * len(value))]
        return value

    return {name: pad(output, other[name]) for name, output in right.items()}


def with_wrong_field(right: Mapping[str, Any], field: str, names: Sequence[str], *, seed: int = 2) -> Outputs:
    """One field wrong in every case: its values are of the right type and far from the right ones."""
    chance = random.Random(seed)

    def change(path: Path, leaf: Any) -> Any:
        return wrong_leaf(leaf, chance) if field_of(path, names) == field else leaf

    return {name: map_leaves(output, change) for name, output in right.items()}


def copied(right: Mapping[str, Any], expected: Mapping[str, Any]) -> Outputs:
    """Every list replaced by one of the expectation that is as long, where there is one: too good to be true."""

    def copy(value: Any, known: Mapping[int, list[Any]]) -> Any:
        if isinstance(value, Mapping):
            return {key: copy(item, known) for key, item in value.items()}
        if isinstance(value, list):
            plain = value and not any(isinstance(item, list | Mapping) for item in value)
            return known.get(len(value), value) if plain else [copy(item, known) for item in value]
        return value

    return {name: copy(output, {len(each): each for each in _lists(expected[name])}) for name, output in right.items()}


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list) and not any(isinstance(item, list | Mapping) for item in value):
        yield value
    elif isinstance(value, list | Mapping):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _lists(item)


def with_field_of(right: Mapping[str, Any], other: Mapping[str, Any], field: str) -> Outputs:
    """The right outputs with one field taken from others."""
    return {name: {**output, field: other[name][field]} for name, output in right.items()}


def with_wrong_cases(right: Mapping[str, Any], hit: Iterable[str], *, seed: int = 3) -> Outputs:
    """The output of some cases wrong from top to bottom."""
    chance, chosen = random.Random(seed), set(hit)
    return {
        name: map_leaves(output, lambda _, leaf: wrong_leaf(leaf, chance)) if name in chosen else output
        for name, output in right.items()
    }


def wrong_leaf(leaf: Any, chance: random.Random) -> Any:
    """A leaf of the same type that is certainly another."""
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, int):
        return leaf + chance.choice([-1, 1]) * max(3, abs(leaf))
    return other_leaf(leaf, chance)

"""Whether inputs differ as they should: what is the same in every case is never tested."""

import json
from collections.abc import Sequence
from typing import Any

from harness_builder.shapes import WHOLE, Path, fields, leaves

CROWDED = 0.5
"""Share of the inputs from which on they crowd."""
ALIKE, MANY = 0.8, 5
"""Share of items in common, of at least so many."""


def never_varied(public: Sequence[Any], validation: Sequence[Any]) -> list[str]:
    """Fields of the input with the same values at the same places in all validation cases.

    Not those that are the same in public cases too, unless they are lists of several lengths: no setting of the task.
    """
    varied, varied_in_public = _values(validation), _values(public)
    lists = [name for name in fields(validation) if name != WHOLE]
    counted = {name for name in lists if _of_several_lengths([each[name] for each in validation])}
    return [name for name in varied if not varied[name] and (varied_in_public.get(name) or name in counted)]


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


def alike(public: Sequence[Any], validation: Sequence[Any]) -> str:
    """A field in which most validation inputs share nearly all items of a list, while public ones do not; or none."""
    for name in fields(validation):
        if _largest_crowd(_items(validation, name)) > CROWDED >= _largest_crowd(_items(public, name)):
            return name
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

"""Cases that stand at an end: with the smallest number, the longest list, an empty text, a label that few have.

A fault that is about some kind of case only is likely to be about one of these.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeVar

from harness_builder.places import steps
from harness_builder.shapes import Path, is_number

MOST = 24
MOST_LABELS = 8
T = TypeVar("T")
Feature = tuple[tuple[str, ...], str]


def extreme_cases(values: Mapping[str, Any]) -> list[str]:
    """Ids of the values that are first or last by some feature, and one for each label; `MOST` of them at most."""
    seen: dict[Feature, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    labels: dict[Path, dict[str, str]] = defaultdict(dict)
    for name, value in values.items():
        for path, part in _parts(value):
            for what, measure in _measures(part):
                seen[steps(path), what][name].append(measure)
            if isinstance(part, str):
                labels[steps(path)].setdefault(part, name)
    found = {name for owners in labels.values() if 1 < len(owners) <= MOST_LABELS for name in owners.values()}
    for measured in seen.values():
        first, last = min(measured, key=lambda name: min(measured[name])), max(measured, key=lambda n: max(measured[n]))
        if min(measured[first]) < max(measured[last]):
            found |= {first, last}
    return spread([name for name in values if name in found], MOST)


def spread(items: Sequence[T], most: int) -> list[T]:
    """So many of them, evenly spread, with the first and the last."""
    if len(items) <= most:
        return list(items)
    return [items[round(place * (len(items) - 1) / (most - 1))] for place in range(most)]


def _parts(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, value
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _parts(item, (*path, key))


def _measures(part: Any) -> Iterator[tuple[str, float]]:
    if isinstance(part, list | str | Mapping):
        yield "length", len(part)
    elif is_number(part):
        yield "number", part
    else:
        yield "null", float(part is None)
    if isinstance(part, list) and all(map(is_number, part)) and part:
        yield "distinct", len(set(part))
    if isinstance(part, bool):
        yield "truth", float(part)
    if isinstance(part, Mapping):
        yield from _between(part)


def _between(part: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """How far two numbers, or the lengths of two lists, are apart: none at all is a kind of case, too."""
    numbers = {key: value for key, value in part.items() if is_number(value)}
    lengths = {key: len(value) for key, value in part.items() if isinstance(value, list)}
    for measured in (numbers, lengths):
        for (one, mine), (other, its) in combinations(measured.items(), 2):
            yield f"from {one} to {other}", abs(mine - its)

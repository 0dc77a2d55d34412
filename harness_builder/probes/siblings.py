"""Right outputs with a value in place of another one of the same list, map or column: plausible, and wrong."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from harness_builder.places import steps
from harness_builder.shapes import Outputs, Path, field_of, fields, leaves, map_leaves

TURNS = 4
"""Values that are exchanged, one at a time, in every field."""


def data_maps(outputs: Mapping[str, Any]) -> set[tuple[str, ...]]:
    """Places of objects whose keys are data, not names of fields: they differ from case to case."""
    keys = defaultdict[tuple[str, ...], set[tuple[str, ...]]](set)
    for output in outputs.values():
        for place, found in _maps(output, ()):
            keys[place].add(tuple(sorted(found)))
    return {place for place, seen in keys.items() if len(seen) > 1 and place}


def _maps(value: Any, path: Path) -> Any:
    if isinstance(value, Mapping):
        yield steps(path), value
        for key, item in value.items():
            yield from _maps(item, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _maps(item, (*path, place))


def like_siblings(right: Mapping[str, Any]) -> dict[str, Outputs]:
    """Of each field one value a case as the next one of its kind in that output; another one each turn."""
    names, maps = fields(list(right.values())), data_maps(right)
    found: dict[str, Outputs] = {}
    for name in names:
        for turn in range(TURNS):
            outputs = {case: _one_changed(output, name, names, maps, turn) for case, output in right.items()}
            if outputs != right:
                found[f"{name}: one value as another one there ({turn + 1})"] = outputs
    return found


def _one_changed(output: Any, name: str, names: tuple[str, ...], maps: set[tuple[str, ...]], turn: int) -> Any:
    kinds = defaultdict[tuple[Any, ...], list[tuple[Path, Any]]](list)
    for path, leaf in leaves(output):
        if field_of(path, names) == name and (kind := _kind(path, maps)) is not None:
            kinds[kind].append((path, leaf))
    for members in kinds.values():
        turned = members[turn % len(members) :] + members[: turn % len(members)]
        path, leaf = turned[0]
        other = next((each for _, each in turned[1:] if type(each) is type(leaf) and each != leaf), None)
        if other is not None:
            return map_leaves(output, lambda where, value, path=path, other=other: other if where == path else value)  # type: ignore[misc]
    return output


def _kind(path: Path, maps: set[tuple[str, ...]]) -> tuple[Any, ...] | None:
    """What values that may stand for one another have in common: their path without the position or the key."""
    if path and (isinstance(path[-1], int) or steps(path[:-1]) in maps):
        return path[:-1]
    positions = [place for place, step in enumerate(path) if isinstance(step, int)]
    return (*path[: positions[-1]], None, *path[positions[-1] + 1 :]) if positions else None

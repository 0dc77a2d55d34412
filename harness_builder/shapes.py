"""JSON values taken apart: the leaves of an output, and the same output with other leaves.

Paths are tuples of keys and positions; `WHOLE` names the only field of an output that is no object.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Path = tuple[str | int, ...]
Outputs = dict[str, Any]
WHOLE = "output"


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every number, text, boolean and null with its path; an empty list or object counts as a leaf."""
    children = _children(value)
    if not children:
        yield path, value
    for key, child in children:
        yield from leaves(child, (*path, key))


def map_leaves(value: Any, change: Callable[[Path, Any], Any], path: Path = ()) -> Any:
    """The same shape with every leaf replaced."""
    if isinstance(value, Mapping) and value:
        return {key: map_leaves(item, change, (*path, key)) for key, item in value.items()}
    if isinstance(value, list) and value:
        return [map_leaves(item, change, (*path, place)) for place, item in enumerate(value)]
    return change(path, value)


def map_lists(value: Any, change: Callable[[list[Any]], list[Any]]) -> Any:
    """The same value with every list changed, the inner ones first."""
    if isinstance(value, Mapping):
        return {key: map_lists(item, change) for key, item in value.items()}
    return change([map_lists(item, change) for item in value]) if isinstance(value, list) else value


def plain_lists(value: Any) -> Iterator[list[Any]]:
    """Lists of numbers, texts, booleans and nulls, wherever they are."""
    if isinstance(value, list) and not any(isinstance(item, list | Mapping) for item in value):
        yield value
    elif isinstance(value, list | Mapping):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from plain_lists(item)


def at(value: Any, path: Path) -> Any:
    """What lies at a path; KeyError when nothing does."""
    for key in path:
        try:
            value = value[key]
        except (TypeError, IndexError):
            raise KeyError(path) from None
    return value


def fields(values: Sequence[Any]) -> tuple[str, ...]:
    """The keys that all values have, when all are objects; else the whole is one field."""
    if not values or not all(isinstance(value, Mapping) and value for value in values):
        return (WHOLE,)
    return tuple(key for key in values[0] if all(key in value for value in values)) or (WHOLE,)


def field_of(path: Path, names: Sequence[str]) -> str:
    """The field a path lies in."""
    return str(path[0]) if path and path[0] in names else WHOLE


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same text; 1 and 1.0 are not."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def _children(value: Any) -> list[tuple[str | int, Any]]:
    if isinstance(value, Mapping):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []

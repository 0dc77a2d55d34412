"""Places in outputs that can be wrong by themselves: fields, fields of inner objects, ends and middles of lists."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness_builder.shapes import WHOLE, Outputs, Path, at, fields, leaves, map_leaves

ITEM = "*"
"""Stands for any position in a list."""
ENDS: dict[str, Callable[[int], int]] = {
    "first": lambda count: 0,
    "middle": lambda count: count // 2,
    "last": lambda count: count - 1,
}
MOST = 24
"""Places beside the fields."""
MOST_LISTS = 8


@dataclass(frozen=True)
class Place:
    """Where a path leads once positions in lists are left out; `end` keeps to one position of the last list."""

    steps: tuple[str, ...]
    end: str = ""

    @property
    def name(self) -> str:
        where = ", ".join(step for step in self.steps if step != ITEM) or WHOLE
        return f"the {self.end} item of {where}" if self.end else where

    @property
    def is_field(self) -> bool:
        return len(self.steps) < 2 and not self.end

    def holds(self, output: Any, path: Path) -> bool:
        if steps(path)[: len(self.steps)] != self.steps:
            return False
        return not self.end or path[-1] == ENDS[self.end](len(at(output, path[:-1])))

    def changed(self, outputs: Mapping[str, Any], change: Callable[[str, Path, Any], Any]) -> Outputs:
        """The outputs with the leaves of this place changed, given the id of the case and the path."""

        def changed(name: str, output: Any) -> Any:
            return map_leaves(output, lambda path, leaf: change(name, path, leaf) if self.holds(output, path) else leaf)

        return {name: changed(name, output) for name, output in outputs.items()}


EVERYWHERE = Place(())


@dataclass(frozen=True)
class ListPlace:
    """Where lists lie, by a path without positions; the lists inside of others are a place of their own."""

    steps: tuple[str, ...]

    @property
    def name(self) -> str:
        where = ", ".join(step for step in self.steps if step != ITEM) or WHOLE
        return f"{where}, inside" if self.is_inner else where

    @property
    def is_inner(self) -> bool:
        """Whether they are, or are in, items of other lists."""
        return ITEM in self.steps

    def lists(self, output: Any) -> Iterator[list[Any]]:
        """Those of one output."""
        yield from (value for path, value in lists(output) if path == self.steps)

    def changed(self, outputs: Mapping[str, Any], change: Callable[[list[Any]], list[Any]]) -> Outputs:
        """The outputs with every list of this place changed, and nothing else."""
        return {name: self._changed(output, self.steps, change) for name, output in outputs.items()}

    def _changed(self, value: Any, path: tuple[str, ...], change: Callable[[list[Any]], list[Any]]) -> Any:
        if not path:
            return change(value) if isinstance(value, list) else value
        step, rest = path[0], path[1:]
        if isinstance(value, list) and step == ITEM:
            return [self._changed(item, rest, change) for item in value]
        if isinstance(value, Mapping):
            return {key: self._changed(item, rest, change) if key == step else item for key, item in value.items()}
        return value


def lists(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """Every list with its path without positions, the outer ones first."""
    if isinstance(value, list):
        yield path, value
        for item in value:
            yield from lists(item, (*path, ITEM))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from lists(item, (*path, str(key)))


def list_places(outputs: Iterable[Any]) -> list[ListPlace]:
    """All places at which some output has a list with something in it, the outer ones first."""
    found = dict.fromkeys(path for output in outputs for path, items in lists(output) if items)
    return [ListPlace(path) for path in sorted(found, key=len)][:MOST_LISTS]


def places(outputs: Sequence[Any]) -> list[Place]:
    """All places that some outputs have, fields first."""
    names = fields(outputs)
    found = dict.fromkeys([EVERYWHERE] if names == (WHOLE,) else [Place((name,)) for name in names])
    paths = [path for output in outputs for path, _ in leaves(output) if path]
    for path in paths:
        if len(path) > 1 and not isinstance(path[-1], int):
            found[Place(steps(path))] = None
    for path in paths:
        if isinstance(path[-1], int) and path[-1] > 0:
            found |= dict.fromkeys(Place(steps(path), end) for end in ENDS)
    return list(found)[: len(names) + MOST]


def steps(path: Path) -> tuple[str, ...]:
    """A path without positions."""
    return tuple(ITEM if isinstance(step, int) else step for step in path)


def of_floats(outputs: Iterable[Any]) -> set[tuple[str, ...]]:
    """Paths without positions at which some output has a number with a point: a 0 there is no count."""
    return {steps(path) for output in outputs for path, leaf in leaves(output) if type(leaf) is float}

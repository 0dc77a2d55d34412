"""Right outputs whose lists are wrong: shorter, longer, in another order, or too good to be true."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from harness_builder.places import ListPlace
from harness_builder.probes.nulls import shifted
from harness_builder.shapes import Outputs, is_number, map_leaves, map_lists, plain_lists
from harness_builder.trial import Trial

NEIGHBOURS = 6
"""Pairs from the beginning of a list that are exchanged."""
REPEATED = 2_000
"""Items of a list that is written again and again, at most."""
SHORT, LONGER, LENGTHS = 10, 1.35, 24
"""Items of the shortest list, by how much the next is longer, and how many lengths there are."""


def shortened(right: Mapping[str, Any], dose: float) -> Outputs:
    """Every list loses a share of its end."""

    def cut(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: cut(item) for key, item in value.items()}
        if isinstance(value, list) and value:
            return [cut(item) for item in value[: len(value) - max(1, round(dose * len(value)))]]
        return value

    return {name: cut(output) for name, output in right.items()}


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


def without_item(right: Mapping[str, Any], place: int) -> Outputs:
    """Every list without the item at a place, where it has no other like that."""

    def without(items: list[Any]) -> list[Any]:
        once = items and items.count(items[place]) == 1
        return [item for item in items if item != items[place]] if once else items

    return {name: map_lists(output, without) for name, output in right.items()}


def without_repeats(right: Mapping[str, Any]) -> Outputs:
    """Every list with what stands in it twice or more often written once."""

    return {name: map_lists(output, _once) for name, output in right.items()}


def narrowed(right: Mapping[str, Any]) -> Outputs:
    """Every list with its first item in place of all others: a hit is no hit again."""
    return {name: map_lists(output, lambda items: items[:1] * len(items)) for name, output in right.items()}


def spoiled(right: Mapping[str, Any], where: Sequence[ListPlace]) -> list[Trial]:
    """The lists of one place alone shorter, longer or narrower, the others right: a list that nobody measures."""
    trials = []
    for place in where:
        pool = [item for output in right.values() for items in place.lists(output) for item in items]
        ways: dict[str, Callable[[list[Any]], list[Any]]] = {
            "the first item left out": lambda items: [item for item in items if item != items[0]],
            "the last item left out": lambda items: [item for item in items if item != items[-1]],
            "one item more at the end": partial(_longer, pool=pool),
            "one item more at the beginning": partial(_longer, pool=pool, front=True),
            "the first item in place of all others": lambda items: items[:1] * len(items),
            "repeated items written once": _once,
        }
        for way, change in ways.items():
            outputs = place.changed(right, lambda items, change=change: change(items) if items else items)  # type: ignore[misc]
            trials.append(Trial(f"{place.name}: {way}", outputs, formed=not place.is_inner))
    return [trial for trial in trials if trial.outputs != right]


def _longer(items: list[Any], pool: Sequence[Any], *, front: bool = False) -> list[Any]:
    """With one item more, of another list."""
    strange = next(([item] for item in reversed(pool) if item not in items), [])
    return [*strange, *items] if front else [*items, *strange]


def _once(items: list[Any]) -> list[Any]:
    return [item for place, item in enumerate(items) if item not in items[:place]]


def half_strange(right: Mapping[str, Any], dose: float) -> Outputs:
    """Every list with a share of its items, from the end, replaced by some that only others have."""
    other = padded(right, 1.0)

    def mixed(mine: Any, longer: Any) -> Any:
        if isinstance(mine, Mapping):
            return {key: mixed(item, longer[key]) for key, item in mine.items()}
        if not isinstance(mine, list):
            return mine
        strange = longer[len(mine) :][: round(dose * len(mine))]
        return mine[: len(mine) - len(strange)] + strange

    return {name: mixed(output, other[name]) for name, output in right.items()}


def reordered(right: Mapping[str, Any], place: ListPlace) -> dict[str, Outputs]:
    """The lists of one place in other orders, obvious ones."""
    ways: dict[str, Callable[[list[Any]], list[Any]]] = {
        "reversed": lambda items: items[::-1],
        "moved on by one": lambda items: items[1:] + items[:1],
    }
    return {f"lists {way}": place.changed(right, order) for way, order in ways.items()}


def exchanged(right: Mapping[str, Any], place: ListPlace) -> dict[str, Outputs]:
    """The lists of one place with two neighbours exchanged: slight ones, of which some may be a matter of taste."""

    def at(position: int) -> Callable[[list[Any]], list[Any]]:
        return lambda items: _exchanged(items, position if position > 0 else len(items) + position)

    ways: dict[str, Callable[[list[Any]], list[Any]]] = {
        "with two in the middle exchanged": lambda items: _exchanged(items, len(items) // 2),
        "with the last two exchanged": at(-1),
    }
    for position in range(1, NEIGHBOURS + 1):
        ways[f"with items {position} and {position + 1} exchanged"] = at(position)
    changed = {f"lists {way}": place.changed(right, order) for way, order in ways.items()}
    return {way: outputs for way, outputs in changed.items() if outputs != right}


def _exchanged(items: list[Any], place: int) -> list[Any]:
    """The item at a place and the one before it exchanged; the same list where there are no two such."""
    if not 0 < place < len(items):
        return items
    return [*items[: place - 1], items[place], items[place - 1], *items[place + 1 :]]


def repeated(right: Mapping[str, Any], place: ListPlace) -> Outputs:
    """The lists of one place written again and again: every order of their items can be read in them."""

    def again(items: list[Any]) -> list[Any]:
        return items * max(2, min(len(items), REPEATED // max(1, len(items))))

    return place.changed(right, again)


def copied(right: Mapping[str, Any], expected: Mapping[str, Any]) -> Outputs:
    """Every list replaced by one of the expectation that is as long, where there is one: too good to be true."""

    def copy(value: Any, known: Mapping[int, list[Any]]) -> Any:
        if isinstance(value, Mapping):
            return {key: copy(item, known) for key, item in value.items()}
        if isinstance(value, list):
            plain = value and not any(isinstance(item, list | Mapping) for item in value)
            return known.get(len(value), value) if plain else [copy(item, known) for item in value]
        return value

    return {
        name: copy(output, {len(each): each for each in plain_lists(expected[name])}) for name, output in right.items()
    }


def long(right: Mapping[str, Any]) -> Outputs:
    """Right outputs with the items of every list at the end of a longer one, by case from some to very many items.

    Where time limits how much of a list is read, one of the lengths is just at the limit.
    """

    def lengthened(value: Any, more: int) -> Any:
        if isinstance(value, Mapping):
            return {key: lengthened(item, more) for key, item in value.items()}
        if not isinstance(value, list) or not value:
            return value
        before = (_varied(value[place % len(value)], place) for place in range(more))
        return [*before, *value]

    lengths = {name: round(SHORT * LONGER ** (place % LENGTHS)) for place, name in enumerate(right)}
    return {name: lengthened(output, lengths[name]) for name, output in right.items()}


def _varied(item: Any, number: int) -> Any:
    return map_leaves(item, lambda _, leaf: _unlike(leaf, number))


def _unlike(leaf: Any, number: int) -> Any:
    return f"{leaf} {number}" if isinstance(leaf, str) else leaf + number + 1 if is_number(leaf) else leaf

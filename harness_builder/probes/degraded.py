"""Right outputs made worse: by dose, by field, by case. Each is the right outputs with a known part of them wrong."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from harness_builder.places import Place, steps
from harness_builder.probes.nulls import other_leaf, shifted
from harness_builder.shapes import Outputs, Path, at, field_of, is_number, leaves, map_leaves, map_lists, plain_lists

DOSES = (0.25, 0.5, 0.75, 1.0)
SHORT, LONGER, LENGTHS = 10, 1.35, 24
REPEATED = 2_000
"""Items of a list that is written again and again, at most."""
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


def mixed(right: Mapping[str, Any], room: Callable[[float], float], *, seed: int = 4) -> Outputs:
    """Right, slightly off, misplaced and exchanged outputs in turn: whatever a metric tells apart, it does so here.

    `room` says by how much a number may be off; half of those that are off are so by about as much.
    """
    chance, other = random.Random(seed), shifted(right)

    def off(_: Path, leaf: Any) -> Any:
        if type(leaf) is float:
            near, far = room(leaf) * 10 ** chance.uniform(-1, 1), (abs(leaf) or 1.0) * 10 ** chance.uniform(-7, 0)
            return leaf + chance.choice([-1, 1]) * chance.choice([near, far])
        if chance.random() < 0.7:
            return leaf
        return misspelled(leaf, chance) if isinstance(leaf, str) and chance.random() < 0.5 else wrong_leaf(leaf, chance)

    def misplaced(items: list[Any]) -> list[Any]:
        place = chance.randrange(len(items) - 1) if len(items) > 1 else 0
        return [*items[:place], *reversed(items[place : place + 2]), *items[place + 2 :]]

    kinds = (
        lambda name: right[name],
        lambda name: map_leaves(right[name], off),
        lambda name: map_lists(right[name], misplaced),
        lambda name: other[name],
    )
    return {name: kinds[place % len(kinds)](name) for place, name in enumerate(right)}


def long(right: Mapping[str, Any]) -> Outputs:
    """Right outputs with the items of every list at the end of a longer one, by case from some to very many items.

    Where time limits how much of a list is read, one of the lengths is just at the limit.
    """

    def lengthened(items: list[Any], more: int) -> list[Any]:
        flat = items and not any(isinstance(item, list | Mapping) for item in items)
        return [*(_unlike(items[place % len(items)], place) for place in range(more)), *items] if flat else items

    lengths = {name: round(SHORT * LONGER ** (place % LENGTHS)) for place, name in enumerate(right)}
    return {name: map_lists(output, partial(lengthened, more=lengths[name])) for name, output in right.items()}


def _unlike(leaf: Any, number: int) -> Any:
    return f"{leaf} {number}" if isinstance(leaf, str) else leaf + number + 1 if is_number(leaf) else leaf


def late(right: Mapping[str, Any]) -> Outputs:
    """Wrong in the last few cases only: what stops before the end does not see it."""
    return with_wrong_cases(right, list(right)[-max(1, len(right) // 10) :])


def misspelled(text: str, chance: random.Random) -> str:
    """A text with one letter left out or written twice."""
    place = chance.randrange(len(text)) if text else 0
    return text[:place] + text[place : place + 1] * chance.choice([0, 2]) + text[place + 1 :]


def in_places(right: Mapping[str, Any]) -> dict[str, Outputs]:
    """More than half of the cases exchanged, chosen by where they stand."""
    other, ids = shifted(right), list(right)
    count = -(-len(ids) * 3 // 5)
    orders = {"all but the first": ids[::-1], "all but the last": ids, "every other": ids[::2] + ids[1::2]}
    return {
        where: {name: other[name] if name in order[:count] else right[name] for name in right}
        for where, order in orders.items()
    }


def reordered(right: Mapping[str, Any], field: str, names: Sequence[str]) -> dict[str, Outputs]:
    """The lists of one field in other orders, from obvious to slight."""
    ways: dict[str, Callable[[list[Any]], list[Any]]] = {
        "reversed": lambda items: items[::-1],
        "moved on by one": lambda items: items[1:] + items[:1],
        "with the first two exchanged": lambda items: items[1::-1] + items[2:],
        "with two in the middle exchanged": lambda items: _exchanged(items, len(items) // 2),
        "with the last two exchanged": lambda items: items[:-2] + items[:-3:-1],
    }
    return {f"lists {way}": _with_lists(right, field, names, order) for way, order in ways.items()}


def repeated(right: Mapping[str, Any], field: str, names: Sequence[str]) -> Outputs:
    """The lists of one field written again and again: every order of their items can be read in them."""

    def again(items: list[Any]) -> list[Any]:
        return items * max(2, min(len(items), REPEATED // max(1, len(items))))

    return _with_lists(right, field, names, again)


def _with_lists(
    right: Mapping[str, Any], field: str, names: Sequence[str], change: Callable[[list[Any]], list[Any]]
) -> Outputs:
    def changed(output: Any) -> Any:
        if field in names and isinstance(output, Mapping):
            return {key: map_lists(value, change) if key == field else value for key, value in output.items()}
        return map_lists(output, change)

    return {name: changed(output) for name, output in right.items()}


def _exchanged(items: list[Any], place: int) -> list[Any]:
    return items[: place - 1] + items[place - 1 : place + 1][::-1] + items[place + 1 :] if place else items


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


def inwards(right: Mapping[str, Any], larger: Mapping[str, Any], smaller: Mapping[str, Any]) -> Outputs:
    """Of two ways to be off the one that leads towards the median of such numbers, so that none leaves its range."""
    numbers = defaultdict[tuple[str, ...], list[float]](list)
    for output in right.values():
        for path, leaf in leaves(output):
            if is_number(leaf):
                numbers[steps(path)].append(leaf)
    middle = {place: sorted(values)[len(values) // 2] for place, values in numbers.items()}

    def off(name: str, path: Path, leaf: Any) -> Any:
        if not is_number(leaf):
            return leaf
        return at((smaller if leaf > middle[steps(path)] else larger)[name], path)

    return Place(()).changed(right, off)


def without_item(right: Mapping[str, Any], place: int) -> Outputs:
    """Every list without the item at a place, where it has no other like that."""

    def without(items: list[Any]) -> list[Any]:
        once = items and items.count(items[place]) == 1
        return [item for item in items if item != items[place]] if once else items

    return {name: map_lists(output, without) for name, output in right.items()}


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

    return {
        name: copy(output, {len(each): each for each in plain_lists(expected[name])}) for name, output in right.items()
    }


def with_wrong_place(right: Mapping[str, Any], place: Place, *, seed: int = 2) -> Outputs:
    """One place wrong in every case: its values are of the right type and far from the right ones."""
    chance = random.Random(seed)
    return place.changed(right, lambda _, __, leaf: wrong_leaf(leaf, chance))


def with_place_of(right: Mapping[str, Any], other: Mapping[str, Any], place: Place) -> Outputs:
    """The right outputs with one place taken from others of the same form."""
    return place.changed(right, lambda name, path, _: at(other[name], path))


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

"""Right outputs made worse: by dose, by field, by case. Each is the right outputs with a known part of them wrong."""

import json
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from harness_builder.places import EVERYWHERE, Place
from harness_builder.probes.nulls import other_leaf, shifted
from harness_builder.shapes import Outputs, Path, at, leaves, map_leaves, map_lists
from harness_builder.trial import Trial

DOSES = (0.25, 0.5, 0.75, 1.0)


def mislabeled(right: Mapping[str, Any], dose: float, *, seed: int = 0) -> Outputs:
    """A share of the cases gets another case's right output; larger doses include the smaller ones."""
    ids = list(right)
    random.Random(seed).shuffle(ids)
    hit, other = set(ids[: max(1, round(dose * len(ids)))]), shifted(right)
    return {name: other[name] if name in hit else right[name] for name in right}


def strangers(right: Mapping[str, Any]) -> Outputs:
    """Every case gets the right output of another one with which it has as little in common as can be."""
    known = {name: {json.dumps(leaf) for _, leaf in leaves(output)} for name, output in right.items()}
    ids = list(right)

    def stranger(place: int) -> str:
        name, others = ids[place], ids[place + 1 :] + ids[:place]
        empty = not holds_something(right[name])
        return min(
            others, key=lambda other: (len(known[name] & known[other]), not (empty or holds_something(right[other])))
        )

    return {name: right[stranger(place)] if len(ids) > 1 else right[name] for place, name in enumerate(ids)}


def holds_something(output: Any) -> bool:
    """Whether some leaf is no kind of nothing."""
    return any(leaf not in ([], {}, "", None) for _, leaf in leaves(output))


def without_some(right: Mapping[str, Any], dose: float, *, seed: int = 1) -> Outputs:
    """A share of the cases has no output."""
    ids = list(right)
    random.Random(seed).shuffle(ids)
    gone = set(ids[: max(1, round(dose * len(ids)))])
    return {name: output for name, output in right.items() if name not in gone}


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


def late(right: Mapping[str, Any], place: Place = EVERYWHERE) -> Outputs:
    """Wrong in the last few cases only, in one place: what stops before the end does not see it."""
    wrong, last = with_wrong_place(right, place), list(right)[-max(1, len(right) // 10) :]
    return {name: wrong[name] if name in last else output for name, output in right.items()}


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


def with_wrong_place(right: Mapping[str, Any], place: Place, *, seed: int = 2) -> Outputs:
    """One place wrong in every case: its values are of the right type and far from the right ones."""
    chance = random.Random(seed)
    return place.changed(right, lambda _, __, leaf: wrong_leaf(leaf, chance))


def wrong_everywhere(right: Mapping[str, Any], place: Place) -> Trial:
    """The same as a trial that several checks make use of."""
    return Trial(f"{place.name} wrong everywhere", with_wrong_place(right, place))


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

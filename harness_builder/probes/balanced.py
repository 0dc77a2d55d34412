"""Right outputs with errors that cancel out: what adds up, or averages, errors with their signs sees none of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from harness_builder.places import ITEM, steps
from harness_builder.shapes import Outputs, Path, is_number, leaves, map_leaves
from harness_builder.trial import Trial

Spot = tuple[str, Path]
"""A number: the case it is in, and where."""
MOST = 12
"""Places."""
NEARER = 0.25
"""Of their distance by which two numbers come nearer to each other, so that neither leaves the range of both."""


def cancelling(right: Mapping[str, Any]) -> list[Trial]:
    """Two numbers of a list, of one case and the next, or of two fields, one too large and one as much too small."""
    spots = _spots(right)
    trials = []
    for place, found in list(spots.items())[:MOST]:
        name = ", ".join(step for step in place if step != ITEM) or "numbers"
        if ITEM in place:
            neighbours = _pairs(_by_list(found))
            trials.append(Trial(f"{name}: errors of neighbours that cancel out", _nearer(right, neighbours)))
            if place[-1] != ITEM:
                trials.append(Trial(f"{name}: values of neighbours exchanged", _exchanged(right, neighbours)))
        else:
            trials.append(Trial(f"{name}: errors of two cases that cancel out", _nearer(right, _pairs([found]))))
    of_fields = _pairs([[(case, place) for place in spots if ITEM not in place] for case in right])
    trials.append(Trial("errors of two fields that cancel out", _nearer(right, of_fields)))
    return [trial for trial in trials if trial.outputs != right]


def _spots(right: Mapping[str, Any]) -> dict[tuple[str, ...], list[Spot]]:
    """Numbers by their path without positions, except those that tell columns apart."""
    found = defaultdict[tuple[str, ...], list[Spot]](list)
    for case, output in right.items():
        for path, leaf in leaves(output):
            if is_number(leaf):
                found[_column(path)].append((case, path))
    return found


def _is_of_rows(path: Path) -> bool:
    """Whether it leads into a list of lists, where numbers at the same position of the inner ones belong together."""
    return len(path) > 1 and isinstance(path[-1], int) and isinstance(path[-2], int)


def _column(path: Path) -> tuple[str, ...]:
    return (*steps(path[:-1]), str(path[-1])) if _is_of_rows(path) else steps(path)


def _by_list(found: Sequence[Spot]) -> list[list[Spot]]:
    """The numbers that stand beside one another in the items of one list."""
    lists = defaultdict[tuple[str, Path], list[Spot]](list)
    for case, path in found:
        item = len(path) - 2 if _is_of_rows(path) else max(n for n, step in enumerate(path) if isinstance(step, int))
        lists[case, (*path[:item], *path[item + 1 :])].append((case, path))
    return list(lists.values())


def _pairs(groups: Sequence[Sequence[Spot]]) -> list[tuple[Spot, Spot]]:
    return [pair for group in groups for pair in zip(group[::2], group[1::2], strict=False)]


def _nearer(right: Mapping[str, Any], pairs: Sequence[tuple[Spot, Spot]]) -> Outputs:
    """What one loses the other gains."""
    known, new = _numbers(right), {}
    for one, other in pairs:
        if one not in known or other not in known:
            continue
        first, second = known[one], known[other]
        step: float = (second - first) * NEARER or abs(first) * NEARER or 1.0
        if isinstance(first, int) and isinstance(second, int):
            step = round(step) or (1 if step > 0 else -1)
        new[one], new[other] = first + step, second - step
    return _with(right, new)


def _exchanged(right: Mapping[str, Any], pairs: Sequence[tuple[Spot, Spot]]) -> Outputs:
    known = _numbers(right)
    return _with(right, {spot: known[twin] for one, other in pairs for spot, twin in ((one, other), (other, one))})


def _numbers(right: Mapping[str, Any]) -> dict[Spot, Any]:
    return {(case, path): leaf for case, output in right.items() for path, leaf in leaves(output) if is_number(leaf)}


def _with(right: Mapping[str, Any], new: Mapping[Spot, Any]) -> Outputs:
    return {
        case: map_leaves(output, lambda path, leaf, case=case: new.get((case, path), leaf))  # type: ignore[misc]
        for case, output in right.items()
    }

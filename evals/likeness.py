"""Inputs that are the same in all that matters, as their expectations show.

A seed, a repeat's number or the order of columns may be part of an input and change nothing: cases that differ in
nothing else are one case. That it changes nothing is read off the expectations: they agree in all such cases, and in so
few others that it is no accident.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from evals.ledger.chain import canonical
from evals.splits import Case

DIGITS = 9
EXACT = 2.0**53
NEAR = 0.25
"""Relative; what repeats of one experiment may differ in."""
ACCIDENT = 1e-3
COMPARED = 20_000
"""Pairs of cases by which it is known how often expectations agree by accident."""


def interchangeable(cases: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """Groups of cases that agree but for one field or the order of lists, which changes no expectation."""
    names = sorted({key for case in cases for key in case.input}) if _are_objects(cases) else []
    found: set[str] = set()
    for field in (None, *names):
        for sort in (False, True):
            groups = _by_rest(cases, field, sort)
            if groups and _no_accident(cases, groups):
                but = " and ".join([*([field] if field else []), *(["the order of lists"] if sort else [])])
                for group in groups:
                    new = [case for case in group if case.id not in found]
                    if new and but:
                        yield f"the same input but for {but}, which changes no expectation", group
                    found |= {case.id for case in group}


def _are_objects(cases: Sequence[Case]) -> bool:
    return all(isinstance(case.input, dict) for case in cases)


def _by_rest(cases: Sequence[Case], field: str | None, sort: bool) -> list[list[Case]]:
    groups = defaultdict[str, list[Case]](list)
    for case in cases:
        groups[_rest(case, field, sort)].append(case)
    return [group for group in groups.values() if len(group) > 1]


def _no_accident(cases: Sequence[Case], groups: Sequence[Sequence[Case]]) -> bool:
    """Whether all pairs within groups agree, and would hardly do so by accident."""
    within = [pair for group in groups for pair in combinations(group, 2)]
    if not all(agree(one.expected, other.expected) for one, other in within):
        return False
    own = {case.id: number for number, group in enumerate(groups) for case in group}
    pairs = islice(combinations(cases, 2), COMPARED)
    others = [(a, b) for a, b in pairs if own.get(a.id, a.id) != own.get(b.id, b.id)]
    share = (1 + sum(agree(a.expected, b.expected) for a, b in others)) / (2 + len(others))
    return bool(share ** sum(len(group) - 1 for group in groups) < ACCIDENT)


def agree(one: Any, other: Any) -> bool:
    """Whether two expectations are of the same form, with the same texts and nearly the same numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(agree(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(agree, one, other))
    if type(one) is bool or type(other) is bool:
        return one is other
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= NEAR * max(abs(one), abs(other))
    return bool(one == other)


def _rest(case: Case, field: str | None, sort: bool) -> str:
    """The input without a field, and with its lists sorted."""
    kept = case.input if field is None else {key: value for key, value in case.input.items() if key != field}
    return spelled(_sorted(kept) if sort else kept)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(item) for key, item in value.items()}
    return sorted(map(_sorted, value), key=canonical) if isinstance(value, list) else value


def spelled(value: Any) -> str:
    """The input without what does not matter."""
    return canonical(plain(value))


def plain(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(words_of(value)) or value.strip()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float):
        short = float(f"{value:.{DIGITS}g}")
        return int(short) if short.is_integer() and abs(short) < EXACT else short
    return value


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())

"""Outputs that break words of a text about the form, or a distance that it states, and are right beside that.

None twice, in order, no other, YYYY-MM-DD; whole, not negative, start < end, apart; within 3 days of the true one.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from harness_builder.leeway import ONCE, ORDERED, Leeway
from harness_builder.naming import named_at
from harness_builder.places import Place, list_places, places
from harness_builder.probes.notations import notation_trials
from harness_builder.probes.siblings import data_maps
from harness_builder.shapes import WHOLE, Outputs, Path, at, field_of, fields, is_number, leaves, map_leaves, map_lists
from harness_builder.shares import asked_share, just_too_many
from harness_builder.truth import Tolerance, stated_tolerance, states_tolerance

AGREES = r"\bagrees?\b|\bexact|\bequals?\b|\bright\b|\bcorrect|\bmatch|\blies? (?:in|within|between)\b|\bwithin\b"
CLOSED = r"\b(?:no|nothing|none) (?:other|else)\b|\bone of\b|\bknown\b|\breal\b|\bvalid\b|\bexists?\b"
MATCHED = r"\bmatch(?:es|ed)?\b"
"""What is matched once may well stand twice."""
FOREIGN, NO_DAY = "something else", "2023-02-30"
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
WHOLE_NUMBERS = r"\bwhole numbers?\b|\bintegers?\b"
NOT_NEGATIVE = r"\b0 ?(?:<|<=|≤) ?\w|\b(?:not|never|non)[- ]?negative\b"
RISING = r"\bstart\w* ?(?:<|is before|before) ?(?:the |its )?end"
APART = r"\b(?:not?|non|never|without|none)\b[- ]?(?:\w+ ){0,2}overlap|\bdisjoint\b"
NOTHING_ELSE = (
    CLOSED + r"|\bexactly (?:the|those|these|one)\b|\bonly (?:the|those|these)\b|\bnothing (?:more|further)\b"
)
NO_OTHER_KEYS = (
    r"\b(?:keys?|fields?)\b.*\b(?:no (?:others?|further|more)|nothing else)\b"
    r"|\b(?:exactly|only) (?:the |these )?(?:\w+ )?(?:keys|fields)\b"
    r"|\bno (?:other|further|additional|more) (?:key|field)s?\b"
)
PRESENT = (
    r"\b(?:never|not|n't)(?: be)? (?:left out|missing|omitted|absent)\b|\balways (?:there|present|given)\b"
    r"|\bmust be (?:there|present)\b|\b(?:all|every|each)(?: of)?(?: the)? (?:keys?|fields?)\b"
)
ABOUT_FORM = (
    r"\bkeys?\b|\bfields?\b|\bobjects?\b|\bwell[- ]formed|\bmissing\b|\bleft out\b|\bomitted\b|\bpresent\b|\btypes?\b"
    r"|\bfinite\b|\b(?:has|have|gets?|with) (?:an|one|its) (?:output|line|entry|answer)\b|\bparse|\bJSON\b|\bnumbers?$"
)
JUST = 1.5
"""How many times what a text allows is just too far."""
DISTANCE = r"\b(?:within|at most) (\d+(?:\.\d+)?) (?!percent)[a-z]+ (?:of|from|off|away from) (?:the|its|their|what)\b"


def broken_forms(text: str, right: Outputs) -> Iterator[tuple[str, Outputs, bool]]:
    """What breaks words of a text about the form, and whether it is wrong for that alone."""
    named = fields_named(text, right)
    for what, outputs in _of_words(text, right):
        yield what, _only_in(named, outputs, right), False
    for what, pattern, change in (
        ("numbers that are not whole", WHOLE_NUMBERS, _not_whole),
        ("negative numbers", NOT_NEGATIVE, _negative),
    ):
        if re.search(pattern, text, re.IGNORECASE):
            changed = {case: map_leaves(output, change) for case, output in right.items()}
            yield what, _only_in(named, changed, right), True
    for what, pattern, rearrange in (("pairs reversed", RISING, _falling), ("pairs that overlap", APART, _overlapping)):
        if re.search(pattern, text, re.IGNORECASE):
            changed = {case: map_lists(output, rearrange) for case, output in right.items()}
            yield what, _only_in(named, changed, right), True
    yield from _of_keys(text, right, named)


def _of_keys(text: str, right: Outputs, named: Collection[str]) -> Iterator[tuple[str, Outputs, bool]]:
    """Keys and entries too many, and keys left out; wrong by the text alone."""
    maps = {place[0] for place in data_maps(right) if len(place) == 1}
    for name in sorted(maps & set(named)) if re.search(NOTHING_ELSE, text, re.IGNORECASE) else ():
        more = {case: _with_entry(output, name, right) for case, output in right.items()}
        yield f"an entry more in {name}", more, True
    names = sorted(named) or [name for name in fields(list(right.values())) if name != WHOLE]
    if re.search(NO_OTHER_KEYS, text, re.IGNORECASE) and names:
        yield "a key more", {case: {**output, "further": 1} for case, output in right.items()}, True
    for name in names if re.search(PRESENT, text, re.IGNORECASE) else ():
        yield f"{name} left out", {case: _without(output, name) for case, output in right.items()}, True


def _with_entry(output: Mapping[str, Any], name: str, right: Outputs) -> Any:
    """One more, under a text that stands elsewhere in the output, or as a key in another one."""
    mine = output[name]
    texts = [leaf for path, leaf in leaves(output) if isinstance(leaf, str) and path[0] != name]
    others = [key for other in right.values() for key in other[name]]
    values = [*mine.values(), *(value for other in right.values() for value in other[name].values())]
    key = next((each for each in (*texts, *others) if each not in mine), FOREIGN)
    return {**output, name: {**mine, key: values[0] if values else None}}


def _only_in(named: Collection[str], changed: Outputs, right: Outputs) -> Outputs:
    """Where a text names fields it is about them: the others stay right."""
    if not named:
        return changed
    return {case: {**output, **{name: changed[case][name] for name in named}} for case, output in right.items()}


def is_about_form(text: str) -> bool:
    """Whether only outputs of another form can break a requirement."""
    return bool(re.search(ABOUT_FORM, text, re.IGNORECASE)) and not re.search(AGREES, text, re.IGNORECASE)


def fields_named(text: str, right: Mapping[str, Any]) -> set[str]:
    """The fields of right outputs that a text speaks of."""
    names = fields(list(right.values()))
    return {name for name in names if named_at(name, text) is not None} - {WHOLE}


def off_by_more(text: str, right: Outputs, expected: Mapping[str, Any]) -> Iterator[tuple[str, Outputs]]:
    """Numbers of one place just further from what is expected than a text says that they may be."""
    if found := re.search(DISTANCE, text, re.IGNORECASE):
        allowed, where = Tolerance(((0.0, float(found[1])),)), places(list(right.values()))
    elif states_tolerance(text):
        allowed, where = stated_tolerance(text), [Place((name,)) for name in sorted(fields_named(text, right))]
    else:
        return
    for place in where:
        for sign, way in ((1, "too large"), (-1, "too small")):
            moved = place.changed(right, _moved(expected, allowed, sign))
            yield f"{place.name} just {way}", moved
            if (bar := asked_share(text)) and not found and _is_one_number(right, place):
                hit = list(right)[: just_too_many(bar, len(right))]
                yield f"{place.name} just {way} in {len(hit)} cases", right | {case: moved[case] for case in hit}


def _is_one_number(right: Outputs, place: Place) -> bool:
    return all(is_number(output[place.steps[0]]) for output in right.values())


def _moved(expected: Mapping[str, Any], allowed: Tolerance, sign: int) -> Callable[[str, Path, Any], Any]:
    """Away from the number that is expected there, where one is."""

    def moved(name: str, path: Path, leaf: Any) -> Any:
        try:
            wanted = at(expected.get(name), path)
        except KeyError:
            return leaf
        if not is_number(leaf) or not is_number(wanted):
            return leaf
        room = JUST * allowed.most(wanted)
        return wanted + sign * (math.floor(room + 1) if isinstance(leaf, int) else room)

    return moved


def broken_lists(text: str, right: Outputs) -> Iterator[tuple[str, Outputs]]:
    """Where there are lists in several places: what breaks words of a text in those of one place alone.

    A text that names fields is about theirs; of another one nobody knows which lists it means.
    """
    where = list_places(right.values())
    named = fields_named(text, right)
    for place in where if len(where) > 1 else ():
        if not named or field_of(place.steps, tuple(named)) in named:
            every = (items for output in right.values() for items in place.lists(output))
            for what, change in _list_words(text, in_order=not place.is_inner and all(map(_in_order, every))):
                yield f"{what} in {place.name}", place.changed(right, change)


def _list_words(text: str, *, in_order: bool) -> Iterator[tuple[str, Callable[[list[Any]], list[Any]]]]:
    if re.search(ONCE, text, re.IGNORECASE) and not re.search(MATCHED, text, re.IGNORECASE):
        yield "an item written twice", lambda items: [*items, *items[:1]]
    if re.search(ORDERED, text, re.IGNORECASE) and in_order:
        yield "lists reversed", lambda items: items[::-1]
    if re.search(CLOSED, text, re.IGNORECASE):
        yield "one item more", lambda items: [*items, *_foreign_item(items)]


def _of_words(text: str, right: Outputs) -> Iterator[tuple[str, Outputs]]:
    for what, change in _list_words(text, in_order=all(map(_in_order, right.values()))):
        yield what, {case: map_lists(output, change) for case, output in right.items()}
    if re.search(CLOSED, text, re.IGNORECASE):
        others = {case: map_leaves(output, lambda _, leaf: _foreign(leaf)) for case, output in right.items()}
        yield "other texts", others
    for trial in notation_trials(right, text, Leeway()):
        yield trial.name, dict(trial.outputs)


def _foreign(leaf: Any) -> Any:
    if not isinstance(leaf, str):
        return leaf
    return NO_DAY if DAY.fullmatch(leaf) else FOREIGN


def _foreign_item(items: list[Any]) -> list[Any]:
    return [_foreign(items[-1])] if items and isinstance(items[-1], str) else []


def _in_order(value: Any) -> bool:
    """Whether every list of numbers or texts in it is sorted."""
    if isinstance(value, Mapping):
        return all(map(_in_order, value.values()))
    if not isinstance(value, list):
        return True
    try:
        return bool(value == sorted(value))
    except TypeError:
        return all(map(_in_order, value))


def _not_whole(_: Path, leaf: Any) -> Any:
    return leaf + 0.5 if type(leaf) is int else leaf


def _negative(_: Path, leaf: Any) -> Any:
    return -leaf - 1 if is_number(leaf) and leaf >= 0 else leaf


def _falling(items: list[Any]) -> list[Any]:
    """A pair the wrong way round."""
    return items[::-1] if _is_rising_pair(items) else items


def _overlapping(items: list[Any]) -> list[Any]:
    """Of pairs one after the other, the first reaching into the second."""
    if len(items) < 2 or not all(isinstance(item, list) and _is_rising_pair(item) for item in items):
        return items
    (start, _), (begin, end), *rest = items
    reaching = [start, begin + max(1, (end - begin) // 2)]
    return [reaching, [begin, end], *rest] if start < begin else items


def _without(output: Any, name: str) -> Any:
    return {key: part for key, part in output.items() if key != name}


def _is_rising_pair(items: list[Any]) -> bool:
    return len(items) == 2 and all(map(is_number, items)) and items[0] < items[1]

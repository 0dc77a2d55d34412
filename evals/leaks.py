"""Cases of one split that are known from another: near-duplicate inputs, and groups cut apart.

Exact duplicates are refused when a task is loaded (evals/splits.py). Here inputs count as the same when they differ in
nothing but spelling (case, spaces, punctuation), in digits beyond the ninth, as long texts in one word of ten or so, or
in the order of their parts and one word of five if they have much the same expectation, or in what changes no
expectation (evals/likeness.py), like a seed. Cases of one group depend on each other, so a group must lie within one
split. Not found: paraphrases, translations, and inputs of which one can be computed from the other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evals.ledger.chain import canonical
from evals.likeness import interchangeable, plain, spelled, words_of
from evals.splits import Case, Split

SHINGLE = 4
"""Words in a row that are compared."""
LONG = 12
"""Words from which on texts may be near-duplicates."""
ALIKE = 0.6
"""Share of shingles in common: one changed word of forty costs a tenth, one of twenty a third."""
SAME_WORDS, SAME_ANSWER = 0.7, 0.5
"""Share of words in common, in whatever order, and of values in the expectation."""
MANY = 4
"""Different numbers from which on nearness is no accident."""
NEAR = 1e-3
HUGE = 1e300


@dataclass(frozen=True)
class Leak:
    """A case of one split and what is like it in another."""

    split: str
    case: str
    other_split: str
    other: str
    why: str

    def __str__(self) -> str:
        return f"{self.split} {self.case} and {self.other_split} {self.other} ({self.why})"


def find_leaks(splits: Sequence[Split]) -> list[Leak]:
    """All leaks between the splits, at most one of a kind for each case."""
    pairs = [(left, right) for place, left in enumerate(splits) for right in splits[place + 1 :]]
    finders = _duplicates, _but_for_something, _shared_groups
    return [leak for left, right in pairs for finder in finders for leak in finder(left, right)]


def _duplicates(left: Split, right: Split) -> Iterator[Leak]:
    known = {spelled(case.input): case for case in left.cases}
    texts, numbers = _TextIndex(left.cases), _NumberIndex(left.cases)
    for case in right.cases:
        twin = known.get(spelled(case.input))
        if twin is not None:
            yield Leak(right.name, case.id, left.name, twin.id, "the same input, spelled otherwise")
        elif (like := texts.most_alike(case)) is not None:
            yield Leak(right.name, case.id, left.name, like, "nearly the same text")
        elif (like := numbers.nearly_the_same(case)) is not None:
            yield Leak(right.name, case.id, left.name, like, "nearly the same numbers")


def _but_for_something(left: Split, right: Split) -> Iterator[Leak]:
    known = {case.id for case in left.cases}
    for why, alike in interchangeable([*left.cases, *right.cases]):
        twins = [case.id for case in alike if case.id in known]
        yield from (
            Leak(right.name, case.id, left.name, twins[0], why) for case in alike if twins and case.id not in known
        )


def _shared_groups(left: Split, right: Split) -> Iterator[Leak]:
    groups = {case.group: case.id for case in left.cases if case.group is not None}
    for case in right.cases:
        if case.group in groups:
            yield Leak(right.name, case.id, left.name, groups[case.group], f"both of the group {case.group}")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


class _TextIndex:
    """Finds the case whose text has most shingles in common."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._shingles = {case.id: _shingles(case) for case in cases}
        self._places: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for name, shingles in self._shingles.items():
            for shingle in shingles:
                self._places[shingle].append(name)

    def most_alike(self, case: Case) -> str | None:
        mine = _shingles(case)
        common = Counter(name for shingle in mine for name in self._places.get(shingle, ()))
        for name, count in common.most_common(1):
            if count >= ALIKE * len(mine | self._shingles[name]):
                return name
        return self._rearranged(case)

    def _rearranged(self, case: Case) -> str | None:
        mine = _word_counts(case)
        if mine.total() < LONG:
            return None
        others = ((other, _word_counts(other)) for other in self._cases)
        like = (other for other, words in others if (mine & words).total() >= SAME_WORDS * (mine | words).total())
        return next((other.id for other in like if _answers_alike(case.expected, other.expected)), None)


def _word_counts(case: Case) -> Counter[str]:
    return Counter(word for text in _texts(case.input) for word in words_of(text))


def _answers_alike(one: Any, other: Any) -> bool:
    """Whether two expectations have as many values in common, key by key, as make them much the same."""
    mine, others = set(_values(one)), set(_values(other))
    return len(mine & others) >= SAME_ANSWER * len(mine | others)


def _values(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict | list) and value:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _values(item, f"{path}/{key}")
    else:
        yield path, spelled(value)


def _shingles(case: Case) -> set[tuple[str, ...]]:
    words = [word for text in _texts(case.input) for word in words_of(text)]
    if len(words) < LONG:
        return set()
    return {tuple(words[place : place + SHINGLE]) for place in range(len(words) - SHINGLE + 1)}


class _NumberIndex:
    """Finds a case of the same form whose many numbers all differ by less than a thousandth."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._known: dict[str, list[tuple[str, list[float]]]] = defaultdict(list)
        for case in cases:
            form, numbers = _form_and_numbers(case.input)
            self._known[form].append((case.id, numbers))

    def nearly_the_same(self, case: Case) -> str | None:
        form, mine = _form_and_numbers(case.input)
        if len(set(mine)) < MANY:
            return None
        return next((name for name, others in self._known.get(form, ()) if _all_near(mine, others)), None)


def _all_near(left: Sequence[float], right: Sequence[float]) -> bool:
    """Near for what the numbers are: by their size, and by how far they lie apart, where all are large alike."""
    spread = max(left) - min(left)
    return all(
        abs(one - other) <= NEAR * max(min(abs(one), spread), NEAR * spread)
        for one, other in zip(left, right, strict=True)
    )


def _form_and_numbers(value: Any) -> tuple[str, list[float]]:
    """The input with every number taken out, and the numbers."""
    numbers: list[float] = []

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(item) for key, item in sorted(value.items())}
        if isinstance(value, list):
            return [without(item) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < HUGE:
            numbers.append(float(value))
            return 0
        return value

    return canonical(plain(without(value))), numbers

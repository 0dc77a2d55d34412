"""Outputs that break one requirement, read off its text, and are right beside that.

Only what a text says plainly is used: values it names ("is null", "an empty list", a label), fields it names, words
about the form and distances (forms.py), and shares (shares.py). A text that speaks of every case forbids a single one,
too. What a requirement means beyond such words nobody knows here.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from evals.splits import Case
from evals.task import Requirement
from harness_builder.forms import AGREES, CLOSED, broken_forms, broken_lists, fields_named, off_by_more
from harness_builder.leeway import allows_a_share
from harness_builder.places import Place
from harness_builder.probes.degraded import strangers, with_wrong_place, wrong_leaf
from harness_builder.shapes import WHOLE, Outputs, fields, is_number, leaves, map_leaves, same
from harness_builder.shares import MOST_LABELS, below, counts_alike, label_of
from harness_builder.trial import Trial

WHEN = r"[`\"']*,? (?:where|when|whenever|if|for|otherwise|else|unless)\b"
EVERY = r"\b(?:every|each|all|any|no|none|never|always|only|where|when|whenever|without|exactly)\b"
SYMBOLS = {"slash": "/", "hyphen": "-", "colon": ":", "comma": ",", "apostrophe": "'", "percent sign": "%", "plus": "+"}


@dataclass(frozen=True)
class Violation:
    """`every`: one such case alone is one too many. `surely`: it is certain that the text means each of them.

    `by_text`: wrong by the words of the text, whatever an expectation makes of it.
    """

    requirement: str
    what: str
    right: Outputs = field(repr=False, hash=False)
    outputs: Outputs = field(repr=False, hash=False)
    every: bool
    surely: bool = True
    by_text: bool = False

    @property
    def name(self) -> str:
        return f"{self.requirement} broken: {self.what}"

    @property
    def cases(self) -> set[str]:
        """Those in which something is wrong."""
        return {name for name, output in self.outputs.items() if not same(output, self.right[name])}

    @property
    def trial(self) -> Trial:
        return Trial(self.name, self.outputs, formed=False)

    def only(self, cases: Collection[str]) -> "Violation":
        """The same in these cases only."""
        outputs = {name: self.outputs[name] if name in cases else right for name, right in self.right.items()}
        return replace(self, outputs=outputs)

    def in_case(self, name: str) -> Trial:
        return Trial(f"{self.name}, in {name} alone", self.only([name]).outputs, formed=False)


def violations(requirement: Requirement, right: Outputs, cases: Mapping[str, Case]) -> Iterator[Violation]:
    """Ways to break a requirement that its text names, in all the cases that it is about."""
    text, every = requirement.text, speaks_of_every_case(requirement.text)
    for what, outputs in _of_values(text, right):
        yield Violation(requirement.id, what, right, outputs, every)
    for what, outputs, by_text in broken_forms(text, right):
        yield Violation(requirement.id, what, right, outputs, every, by_text=by_text)
    for what, outputs in off_by_more(text, right, {name: case.expected for name, case in cases.items()}):
        yield Violation(requirement.id, what, right, outputs, every=False, surely=False, by_text=True)
    for what, outputs in below(text, right):
        yield Violation(requirement.id, what, right, outputs, every=False)
    for what, outputs in broken_lists(text, right):
        yield Violation(requirement.id, what, right, outputs, every, surely=False)
    doubtful = (
        (*_of_fields(text, right), *_of_symbols(text, right, {name: case.input for name, case in cases.items()}))
        if every
        else ()
    )
    for what, outputs in doubtful:
        yield Violation(requirement.id, what, right, outputs, every, surely=False)


def speaks_of_every_case(text: str) -> bool:
    return bool(re.search(EVERY, text, re.IGNORECASE)) and not allows_a_share(text)


def agrees(text: str) -> bool:
    """Whether it says of a value that it is right, and not only of what kind it is."""
    return bool(re.search(AGREES, text, re.IGNORECASE)) and not re.search(CLOSED, text, re.IGNORECASE)


def cases_meant(text: str, right: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """The cases whose right output has the values that a text names, and the fields that have them; empty if none."""
    pairs = _values_named(text, right)
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        return set(), set()
    meant = {case for case, output in right.items() if all(same(_part(output, name), value) for name, value in pairs)}
    return (meant, set(names)) if pairs and len(meant) < len(right) else (set(), set())


def kinds_meant(text: str, right: Mapping[str, Any]) -> list[set[str]]:
    """Kinds of cases that each must be right by a requirement: those that it names, or of every label that counts."""
    if counts_alike(text):
        labels = {name: label_of(output) for name, output in right.items()}
        found = dict.fromkeys(labels.values())
        kinds = [{name for name in labels if labels[name] == label} for label in found]
        return kinds if len(kinds) <= MOST_LABELS else []
    meant, _ = cases_meant(text, right)
    return [meant] if meant and speaks_of_every_case(text) else []


def _values_named(text: str, right: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Field and value: those that stand side by side, else each that some output has."""
    names = fields(list(right.values()))
    found = [
        (name, value, bool(re.search(rf"{_standing(name)}(?:is|are|=|be) {said}", text, re.IGNORECASE)))
        for name in names
        for value, said in _sayable(name, right)
        if re.search(said, text, re.IGNORECASE)
    ]
    counts = Counter(name for name, _, _ in found)
    beside = [(name, value) for name, value, by_name in found if by_name and counts[name] == 1]
    return beside or [(name, value) for name, value, _ in found if not is_number(value)]


def _standing(name: str) -> str:
    """A field before its verb; an output without fields has no name."""
    return r"\b" if name == WHOLE else rf"\b{re.escape(name)}\b[`\"']* "


def _sayable(name: str, right: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Values of a field that a text can name, each with the words for it."""
    found = {repr(value): value for value in (_part(output, name) for output in right.values())}
    labels = [value for value in found.values() if isinstance(value, str) and value]
    for value in found.values():
        if value is None:
            yield value, r"`?null\b"
        elif value in ([], ""):
            yield value, r"(?:(?:an )?`?empty|(?:has|have|with) none)\b"
        elif isinstance(value, bool):
            yield value, rf"`?{value}\b"
        elif isinstance(value, int | float) and value in (0, 1):
            yield value, rf"`?{value:g}(?![\d.,]*\d)"
    if 2 <= len(labels) <= MOST_LABELS and len(labels) < len(right):
        for label in labels:
            yield label, rf"(?<!\w){re.escape(label)}(?!\w)"


def _of_values(text: str, right: Outputs) -> Iterator[tuple[str, Outputs]]:
    meant, valued = cases_meant(text, right)
    it_names = "in the cases whose values it names"
    named = [(meant, name, it_names) for name in sorted(valued | fields_named(text, right))] if meant else []
    for cases, name, where in list(_each_value(text, right)) or named:
        others = _others(name, cases, right)
        outputs = {
            case: _with_part(output, name, others(case)) if case in cases else output for case, output in right.items()
        }
        yield f"{name} wrong {where}", outputs


def _each_value(text: str, right: Outputs) -> Iterator[tuple[set[str], str, str]]:
    """The cases of each value of a field, where a text says when it has the one and when the other."""
    for name in fields(list(right.values())):
        values = [value for value, said in _sayable(name, right) if re.search(said + WHEN, text, re.IGNORECASE)]
        for value in values if len(values) > 1 else ():
            cases = {case for case, output in right.items() if same(_part(output, name), value)}
            yield cases, name, f"where it is {json.dumps(value)}"


def _others(name: str, meant: set[str], right: Mapping[str, Any]) -> Callable[[str], Any]:
    """For each case a value of the field that it has elsewhere, or else one that is certainly another."""
    chance = random.Random(1)
    elsewhere = [_part(output, name) for case, output in right.items() if case not in meant]
    chance.shuffle(elsewhere)

    def other(case: str) -> Any:
        mine = _part(right[case], name)
        if isinstance(mine, float) or not elsewhere:
            return map_leaves(mine, lambda _, leaf: wrong_leaf(leaf, chance))
        place = chance.randrange(len(elsewhere))
        return next((each for each in elsewhere[place:] + elsewhere[:place] if not same(each, mine)), mine)

    return other


def _of_fields(text: str, right: Outputs) -> Iterator[tuple[str, Outputs]]:
    """Where a text says that a field agrees, and speaks neither of some cases that it names nor of its form."""
    named, _ = cases_meant(text, right)
    if not named and agrees(text):
        for name in sorted(fields_named(text, right)):
            yield f"{name} wrong", with_wrong_place(right, Place((name,)))


def _of_symbols(text: str, right: Outputs, inputs: Mapping[str, Any]) -> Iterator[tuple[str, Outputs]]:
    """All wrong where a text of the input has a symbol, if the requirement is about what is written with it."""
    other = strangers(right)
    for word, symbol in SYMBOLS.items():
        if re.search(rf"\bwith (?:an? |the )?{word}", text, re.IGNORECASE):
            has = {
                case
                for case in right
                if any(symbol in leaf for _, leaf in leaves(inputs[case]) if isinstance(leaf, str))
            }
            outputs = {case: other[case] if case in has else output for case, output in right.items()}
            yield f"wrong where the input has a {word}", outputs


def _part(output: Any, name: str) -> Any:
    return output if name == WHOLE else output[name]


def _with_part(output: Any, name: str, value: Any) -> Any:
    return value if name == WHOLE else {**output, name: value}

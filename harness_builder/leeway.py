"""What an instruction leaves open: ways to write an output that it says make no difference.

Read off its sentences, and only off those that say so plainly; a sentence that names fields speaks of these, another
of all. What is said about the input is left out.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness_builder.shapes import WHOLE, Path, map_leaves, map_lists
from harness_builder.truth import states_tolerance

ANY = (
    r"(?:(?:do|does|is|are|need)(?: not|n't) (?:matter|count|change|distinguish|be the same)|makes? no difference|ignor"
    r"|irrelevant|insensitive|regardless|\bany\b|whatever|\bmay\b|allowed|either|are stripped|are trimmed|as you like)"
)
CASE = (
    r"(?:upper[ -]?(?:case)? ?(?:or|and|/) ?lower|lower[ -]?(?:case)? ?(?:or|and|/) ?upper|capitali[sz]ation|capitals"
    r"|letter case|case[- ]insensitiv|insensitive to case|ignor\w+ (?:the )?case|any case\b|regardless of case"
    r"|^case\b|\bthe case of (?:the )?(?:letters|text))"
)
BLANKS, AT_THE_ENDS = r"\b(?:white ?space|spaces|blanks)\b", r"(?:surround|lead|trail|outer|around|before|after)\w*\b"
SPACES = rf"(?:{AT_THE_ENDS}.*{BLANKS}|{BLANKS}.*\b{AT_THE_ENDS})"
ORDER = (
    r"(?:\b(?:any|either) (?:\w+ )?order"
    r"|order (?:of [^.]{1,60} )?(?:does|do|is|are)(?: not|n't) (?:matter|count|important)|unordered"
    r"|order is (?:irrelevant|ignored|free|not)|regardless of (?:the |their )?order|no particular order|as a set\b)"
)
ORDERED = (
    r"(?:\bin (?:the |this |that |their )?(?:\w+ )?order\b|\border(?:ed)? by\b|\bsort(?:ed)?\b|\brank(?:ed|ing)?\b"
    r"|\bsequence\b|\bascending|\bdescending|\b(?:best|worst|\w+est) first\b|\bfrom \w+ to \w+\b)"
)
ONCE = r"\bonce\b|\btwice\b|duplicate|\bdistinct\b|\bunique\b|repetition"
SPELLED = (
    r"case[- ]sensitive|case matters|letter by letter|character by character|verbatim|exactly as (?:spelled|written)"
)
LOOSELY = (
    r"\b(?:IoU|intersection over union|overlap\w*|similarity)\b[^;]{0,40}"
    r"\b(?:at least|above|over|more than|exceeds?)\b"
    r"|\b(?:edit distance|levenshtein)\b[^;]{0,40}\b(?:at most|below|under|within|up to)\b"
    r"|\b(?:within|at most) \d+ (?!percent)[a-z]+ ?(?:of|from|off|away|apart|before|after|or\b)"
)
"""Words for a match that is not between numbers with a tolerance."""
KEYS = r"\b(?:other|additional|extra|further|more|unknown) (?:keys|fields|entries)"
OF_LINES = r"\b(?:lines?|rows|cases|jsonl)\b"
PARTLY = r"\btop[- ]?(?:\d+|k|two|three|five|ten)\b|@(?:\d+|k)\b|\bfirst (?:\d+|two|three|four|five|ten)\b"


ASKED = re.compile(
    r"(?:at least|no less than|not below|[≥>]=?|minimum of|or more than|reach(?:es)?)\s*(\d+(?:\.\d+)?)\s*(%|percent)?",
    re.IGNORECASE,
)
OF_SCORES = r"right|correct|accura|score|\bf1\b|recall|precision|\bmean\b|match|solved|\bbar\b|agree"
ALL = r"\b(?:every|all|each)\b[^.;]{0,40}\b(?:cases?|outputs?)\b|\b(?:in|of) (?:every|each) case\b"
A_SHARE = (
    r"\bat (?:least|most)\b|\bmost of\b|\bno more than\b|% of\b|percent of\b|\baverage\b|\bon the whole\b|\bexceed"
    r"|\b(?:above|below|over|under) \d|\b(?:rate|recall|precision|f1|accuracy|share|fraction|percentage)s?\b"
)
OF_MANY = r"% of\b|percent of\b|\bof (?:the|all)\b|\bcases\b"
SLACK = 3.0
LEAST_WRONG, MOST_WRONG = 0.25, 0.5


@dataclass(frozen=True)
class Leeway:
    """Fields in which something makes no difference, and some in which it is said that it does."""

    case: frozenset[str] = frozenset()
    spaces: frozenset[str] = frozenset()
    order: frozenset[str] = frozenset()
    order_partly: bool = False
    """Whether only the beginning of a list may count."""
    further_keys: bool = False
    """Whether an output may hold other keys too."""
    ordered: frozenset[str] = frozenset()
    once: frozenset[str] = frozenset()
    spelled: frozenset[str] = frozenset()
    """Where lists have an order, where nothing may stand twice, where texts are compared letter by letter."""
    speaks_of_order: bool = False
    """Whether it says of something, not by its field's name perhaps, in what order it stands."""
    loosely: frozenset[str] = frozenset()
    """What counts as right although it is not quite: spans that overlap enough, a day before or after."""
    too_many_wrong: float = MOST_WRONG
    """Share of wrong cases that is certainly too much."""

    def plain(self, value: Any) -> Any:
        """The value written in one of the ways that mean the same, so that they compare equal."""
        if not (self.case or self.spaces or self.order):
            return value
        if isinstance(value, Mapping):
            return {key: self._plain(part, key) for key, part in value.items()}
        return self._plain(value, WHOLE)

    def _plain(self, value: Any, name: str) -> Any:
        def text(_: Path, leaf: Any) -> Any:
            leaf = leaf.strip() if isinstance(leaf, str) and name in self.spaces else leaf
            return leaf.lower() if isinstance(leaf, str) and name in self.case else leaf

        value = map_leaves(value, text)
        return map_lists(value, lambda items: sorted(items, key=json.dumps)) if name in self.order else value


def allows_a_share(text: str) -> bool:
    """Whether a requirement is about how many cases are right, or about all together; not how near a number is."""
    said = re.search(A_SHARE, text, re.IGNORECASE)
    return bool(said) and not (states_tolerance(text) and not re.search(OF_MANY, text, re.IGNORECASE))


def stated_leeway(instruction: str, fields: Sequence[str]) -> Leeway:
    """What the sentences about the output leave open in its fields."""
    found: dict[str, set[str]] = {
        name: set() for name in ("case", "spaces", "order", "ordered", "once", "spelled", "loosely")
    }
    keys, orders, exact = False, False, set[str]()
    for sentence, meant, named in _sentences(instruction, fields):
        free = re.search(ANY, sentence, re.IGNORECASE)
        of_lists = not re.search(OF_LINES, sentence, re.IGNORECASE)
        strict = not free and (named or len(fields) == 1)
        for kind, pattern, enough in (
            ("case", CASE, free),
            ("spaces", SPACES, free),
            ("order", ORDER, of_lists),
            ("ordered", ORDERED, of_lists and strict),
            ("once", ONCE, of_lists and strict),
            ("spelled", SPELLED, strict),
            ("loosely", LOOSELY, True),
        ):
            if enough and re.search(pattern, sentence, re.IGNORECASE):
                found[kind] |= meant
        if named and states_tolerance(sentence):
            exact |= meant
        orders = orders or bool(of_lists and not free and re.search(ORDERED, sentence, re.IGNORECASE))
        keys = keys or bool(free and re.search(KEYS, sentence, re.IGNORECASE))
    partly = bool(re.search(PARTLY, instruction, re.IGNORECASE))
    found["ordered"] -= found["order"]
    found["loosely"] -= exact
    found["spelled"] -= found["case"] | found["spaces"]
    ways = {kind: frozenset(names) for kind, names in found.items()}
    bar = _too_many(instruction)
    return Leeway(**ways, order_partly=partly, further_keys=keys, speaks_of_order=orders, too_many_wrong=bar)


def _too_many(instruction: str) -> float:
    """Three times what the lowest stated bar allows, or a quarter where all must be right; never more than half."""
    asked = []
    for sentence in re.split(r"(?<=[.;:!?,])\s+|\n", instruction):
        if re.search(OF_SCORES, sentence, re.IGNORECASE):
            for number, percent in ASKED.findall(sentence):
                asked.append(float(number) / (100 if percent else 1))
    likely = [share for share in asked if MOST_WRONG <= share <= 1]
    if not likely and not re.search(ALL, instruction, re.IGNORECASE):
        return MOST_WRONG
    return min(MOST_WRONG, max(LEAST_WRONG, SLACK * (1 - min(likely, default=1.0))))


def _sentences(text: str, fields: Sequence[str]) -> Iterator[tuple[str, set[str], bool]]:
    """Sentences with the fields they are about: named there, else in their paragraph, else all; and whether any was."""
    of_input = False
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*#|])", text):
        of_input = bool(re.match(r"\W*inputs?\b", paragraph, re.IGNORECASE)) or (of_input and paragraph[:1].isspace())
        if of_input:
            continue
        flat = " ".join(paragraph.split())
        around = _named(flat, fields)
        for sentence in re.split(r"(?<=[.;:!?])[*_\"')]*\s+", flat):
            named = _named(sentence, fields) or around
            yield sentence, named or set(fields), bool(named)


def _named(text: str, fields: Sequence[str]) -> set[str]:
    """Fields that stand there as code or in quotes."""
    return {name for name in fields if re.search(rf"[`\"']{re.escape(name)}[`\"']", text)}

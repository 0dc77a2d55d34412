"""Values that are looked for in a line of text, however it separates and rounds them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from harness_builder.shapes import is_number

MOST = 24
"""Units of one value that are looked for, and values of one list."""
DIGITS = 5
"""Of a number; what follows may be rounded away."""
BETWEEN = r"[^\w-]{1,8}"
"""What stands between the items of a list, in whatever notation."""


@dataclass(frozen=True)
class Sought:
    """Units that must all stand in a line: single values, and plain lists as a whole."""

    units: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, *values: Any) -> "Sought":
        """What is told by the values; nothing of empty texts, empty lists and nulls."""
        return cls(tuple(dict.fromkeys(unit for value in values for unit in list(_units(value))[:MOST])))

    def and_(self, other: "Sought") -> "Sought":
        return Sought(self.units + other.units)

    @property
    def size(self) -> int:
        """Characters that must be met: how little of an accident it would be."""
        return sum(len(word) for unit in self.units for word in unit)

    def stands_in(self, line: str) -> bool:
        return bool(self.units) and self._literal in line and all(each.search(line) for each in self._patterns)

    @cached_property
    def _literal(self) -> str:
        return max((word for unit in self.units for word in unit), key=len)

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        joined = (BETWEEN.join(map(_pattern, unit)) for unit in self.units)
        return [re.compile(rf"(?<![\w.-]){each}(?![\w-])") for each in joined]


def _units(value: Any) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _units(item)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for item in value:
            yield from _units(item)
    elif words := tuple(filter(None, map(_word, value[:MOST] if isinstance(value, list) else [value]))):
        yield words


def _word(leaf: Any) -> str:
    """How it begins wherever it is written."""
    if leaf is None or isinstance(leaf, str):
        return leaf or ""
    if isinstance(leaf, float) and leaf.is_integer() and abs(leaf) < 10**DIGITS:
        return str(int(leaf))
    text = json.dumps(leaf)
    if not isinstance(leaf, float) or "e" in text:
        return text
    first = re.search(r"[1-9]", text)
    return text[: first.start() + DIGITS + 1] if first else text


def _pattern(word: str) -> str:
    number = re.fullmatch(r"-?\d+(?:\.\d+)?", word) and is_number(json.loads(word) if not word.startswith("0") else 0)
    if not number:
        return re.escape(word)
    return re.escape(word) + (r"\d*" if "." in word else r"(?:\.0+)?(?!\.?\d)")

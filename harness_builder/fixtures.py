"""Hand-worked values that a harness may bring: `fixtures.jsonl`, one case, output and score a line."""

import json
from dataclasses import dataclass
from typing import Any

from harness_builder.shapes import is_number
from tools.files import FileTree

NAME = "fixtures.jsonl"


class FixtureError(ValueError):
    """A line that is no fixture."""


@dataclass(frozen=True)
class Fixture:
    """What `score` must give for one output of one case."""

    input: Any
    expected: Any
    output: Any
    score: float


def read_fixtures(tree: FileTree) -> list[Fixture]:
    """The fixtures of a harness, none if it has no such file."""
    if NAME not in tree:
        return []
    lines = tree.text(NAME).splitlines()
    return [_read(line, number) for number, line in enumerate(lines, start=1) if line.strip()]


def _read(line: str, number: int) -> Fixture:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise FixtureError(f"{NAME}, line {number}: {error}.") from None
    case = row.get("case") if isinstance(row, dict) else None
    if not isinstance(case, dict) or "expected" not in case or "output" not in row or not is_number(row.get("score")):
        raise FixtureError(f"{NAME}, line {number}: it reads {line[:80]}.")
    return Fixture(case.get("input"), case["expected"], row["output"], float(row["score"]))

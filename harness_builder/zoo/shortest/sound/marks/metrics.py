"""The marks for cost and path stand in marks.json: for cases with a path, and for those with none."""

import json
from pathlib import Path

from paths import field, has_path, near, weight_of

MARKS = json.loads((Path(__file__).parent / "marks.json").read_text())


def kind(case):
    return "some" if has_path(case) else "none"


def parts(case, output):
    """Name -> whether that part is right, for the parts that have marks."""
    cost, path, least = field(output, "cost"), field(output, "path"), case["expected"]["cost"]
    if has_path(case):
        right = {"cost": near(cost, least), "path": near(weight_of(case["input"], path), least)}
    else:
        right = {"cost": isinstance(output, dict) and "cost" in output and cost is None, "path": path == []}
    return {name: right[name] for name in MARKS[kind(case)]}


def score(case, output):
    marks = MARKS[kind(case)]
    got = sum(marks[name] for name, right in parts(case, output).items() if right)
    return {"score": got / sum(marks.values())}

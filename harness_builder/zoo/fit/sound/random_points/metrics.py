"""Compares two lines where it matters: at points drawn from the range of x, and their r2.

The points of a case are drawn with its id as the seed, so they are the same each time.
"""

import random

POINTS = 40


def number(value):
    """A float, or None for what is no number or is out of all proportion."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e100:
        return None
    return float(value)


def close(got, want):
    got = number(got)
    return got is not None and abs(got - want) <= 1e-4 * abs(want) + 1e-9


def points(case):
    chance = random.Random(case["id"])
    x = case["input"]["x"]
    return [chance.uniform(min(x), max(x)) for _ in range(POINTS)]


def same_line(case, slope, intercept):
    """The share of points at which the lines agree, as closely as slope and intercept must."""
    want = case["expected"]
    slope, intercept = number(slope), number(intercept)
    if slope is None or intercept is None:
        return 0.0
    met = 0
    for x in points(case):
        margin = 1e-4 * (abs(want["slope"] * x) + abs(want["intercept"])) + 1e-9 * (1 + abs(x))
        met += abs((slope - want["slope"]) * x + intercept - want["intercept"]) <= margin
    return met / POINTS


def score(case, output):
    got = output if isinstance(output, dict) else {}
    line = same_line(case, got.get("slope"), got.get("intercept"))
    return {"score": (line + close(got.get("r2"), case["expected"]["r2"])) / 2, "line": line}

"""The line is worked out again in exact fractions, over all pairs of samples, and the output is held against that."""

import time
from fractions import Fraction
from itertools import product

from metrics import close

BUDGET_SEC = 0.35  # a check


def refit(x, y):
    """slope, intercept and r2 from differences between pairs; exact, and slow, so a check stops in time."""
    samples = [(Fraction(a), Fraction(b)) for a, b in zip(x, y)]
    xx = xy = Fraction(0)
    for (a, b), (c, d) in product(samples, repeat=2):
        xx += (a - c) ** 2
        xy += (a - c) * (b - d)
    slope = xy / xx
    intercept = (sum(b for _, b in samples) - slope * sum(a for a, _ in samples)) / len(samples)
    left = total = Fraction(0)
    for (a, b), (c, d) in product(samples, repeat=2):
        left += (b - d - slope * (a - c)) ** 2
        total += (b - d) ** 2
    return {"slope": slope, "intercept": intercept, "r2": 1 - left / total if total else Fraction(1)}


def wrong(cases, outputs, *fields):
    ids, end = [], time.monotonic() + BUDGET_SEC
    for case in cases:
        if time.monotonic() > end:
            break
        exact, output = refit(**case["input"]), outputs.get(case["id"])
        got = output if isinstance(output, dict) else {}
        if not all(close(got.get(field), float(exact[field])) for field in fields):
            ids.append(case["id"])
    return ids


def test_slope(cases, outputs):
    assert wrong(cases, outputs, "slope") == []


def test_intercept(cases, outputs):
    assert wrong(cases, outputs, "intercept") == []


def test_r2(cases, outputs):
    assert wrong(cases, outputs, "r2") == []


def test_flat(cases, outputs):
    flat = [case for case in cases if len(set(case["input"]["y"])) == 1]
    assert wrong(flat, outputs, "slope", "intercept", "r2") == []

"""Partial credit: how many digits of each number are right. Four are what the task asks for."""

import math

FIELDS = ("slope", "intercept", "r2")
ENOUGH = 4.0


def digits(got, want):
    if isinstance(got, bool) or not isinstance(got, (int, float)) or not -1e300 < got < 1e300:
        return 0.0
    off = abs(got - want)
    if off <= 1e-4 * abs(want) + 1e-9:
        return ENOUGH
    if want == 0:
        return 0.0
    return min(max(-math.log10(off / abs(want)), 0.0), ENOUGH)


def score(case, output):
    got = output if isinstance(output, dict) else {}
    right = {name: digits(got.get(name), case["expected"][name]) / ENOUGH for name in FIELDS}
    return {"score": sum(right.values()) / len(FIELDS), **right}

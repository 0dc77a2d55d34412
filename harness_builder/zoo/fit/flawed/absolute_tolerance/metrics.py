"""Scores one fitted line: the share of slope, intercept and r2 that agree with the expectation."""

import math
from typing import Any

FIELDS = ("slope", "intercept", "r2")
TOLERANCE = 1e-4


def close(got: Any, want: float) -> bool:
    """Whether `got` is a number within the tolerance."""
    if isinstance(got, bool) or not isinstance(got, (int, float)) or not -1e300 < got < 1e300:
        return False
    return math.isclose(got, want, abs_tol=TOLERANCE)


def agreement(case: dict[str, Any], output: Any) -> dict[str, bool]:
    """Field -> whether it agrees."""
    got = output if isinstance(output, dict) else {}
    return {name: close(got.get(name), case["expected"][name]) for name in FIELDS}


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    return {"score": sum(agreement(case, output).values()) / len(FIELDS)}

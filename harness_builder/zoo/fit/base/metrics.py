"""Scores one fitted line: the share of slope, intercept and r2 that agree with the expectation."""

from typing import Any

FIELDS = ("slope", "intercept", "r2")
RELATIVE, ABSOLUTE = 1e-4, 1e-9


def close(got: Any, want: float) -> bool:
    """Whether `got` is a number within the tolerance; nothing is converted, so text or a huge integer is just wrong."""
    margin = RELATIVE * abs(want) + ABSOLUTE
    return isinstance(got, (int, float)) and not isinstance(got, bool) and want - margin <= got <= want + margin


def agreement(case: dict[str, Any], output: Any) -> dict[str, bool]:
    """Field -> whether it agrees."""
    got = output if isinstance(output, dict) else {}
    return {name: close(got.get(name), case["expected"][name]) for name in FIELDS}


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    return {"score": sum(agreement(case, output).values()) / len(FIELDS)}

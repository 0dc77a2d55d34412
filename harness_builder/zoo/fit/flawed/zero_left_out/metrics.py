"""Scores one fitted line: the share of its numbers whose relative error is at most 1e-4."""

from typing import Any

FIELDS = ("slope", "intercept", "r2")
TOLERANCE = 1e-4


def close(got: Any, want: float) -> bool:
    """Whether `got` is a number within the tolerance; nothing is converted, so text is just wrong."""
    margin = TOLERANCE * abs(want)
    return isinstance(got, (int, float)) and not isinstance(got, bool) and want - margin <= got <= want + margin


def agreement(case: dict[str, Any], output: Any) -> dict[str, bool]:
    """Field -> whether it agrees, for the fields that have a relative error."""
    got = output if isinstance(output, dict) else {}
    return {name: close(got.get(name), want) for name, want in case["expected"].items() if want}


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    right = agreement(case, output)
    return {"score": sum(right.values()) / len(right)}

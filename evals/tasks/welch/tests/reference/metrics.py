"""Scores one case of Welch's t-test: the fraction of t, df and p within a relative 1e-6 of the expectation."""

from typing import Any

FIELDS = ("t", "df", "p")


def close(got: Any, want: float) -> bool:
    """Whether `got` is a number within a relative 1e-6; compares without conversion, so a huge int is just wrong."""
    margin = 1e-6 * abs(want)
    return isinstance(got, (int, float)) and not isinstance(got, bool) and want - margin <= got <= want + margin


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    """1.0 or 0.0 for each field, and their mean as "score"."""
    got = output if isinstance(output, dict) else {}
    fields = {name: float(close(got.get(name), case["expected"][name])) for name in FIELDS}
    return {"score": sum(fields.values()) / len(fields), **fields}

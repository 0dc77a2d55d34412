"""Scores one case of Adam: the fraction of theta, m and v that agree element by element."""

from typing import Any

FIELDS = ("theta", "m", "v")


def close(got: Any, want: float) -> bool:
    """Whether `got` is a number within a relative 1e-6; compares without conversion, so a huge int is just wrong."""
    margin = 1e-6 * abs(want) + 1e-12
    return isinstance(got, (int, float)) and not isinstance(got, bool) and want - margin <= got <= want + margin


def same(got: Any, want: list[float]) -> bool:
    """Whether `got` is a list of the right length, every element close."""
    return isinstance(got, list) and len(got) == len(want) and all(map(close, got, want))


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    """1.0 or 0.0 for each list, and their mean as "score"."""
    got = output if isinstance(output, dict) else {}
    fields = {name: float(same(got.get(name), case["expected"][name])) for name in FIELDS}
    return {"score": sum(fields.values()) / len(fields), **fields}

"""Scores one claim about k-means++: the fraction of the four mean potentials inside their intervals."""

from typing import Any

FIELDS = ("uniform_seeding", "kmeanspp_seeding", "uniform_final", "kmeanspp_final")


def inside(got: Any, interval: dict[str, float]) -> bool:
    """Whether `got` is a number in the interval; compares without conversion, so a huge int is just wrong."""
    return isinstance(got, (int, float)) and not isinstance(got, bool) and interval["low"] <= got <= interval["high"]


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    """1.0 or 0.0 for each field, and their mean as "score"."""
    got = output if isinstance(output, dict) else {}
    fields = {name: float(inside(got.get(name), case["expected"][name])) for name in FIELDS}
    return {"score": sum(fields.values()) / len(fields), **fields}

"""Scores one ranking: 1 when its items stand in the expected order, else 0."""

from typing import Any


def ranking(output: Any) -> list[Any]:
    """The ranking in an output; empty when there is none."""
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def in_order(got: list[Any], names: list[str]) -> bool:
    """Whether `got` has all the names, in this order."""
    rest = iter(got)
    return all(name in rest for name in names)


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    return {"score": float(in_order(ranking(output), case["expected"]["ranking"]))}

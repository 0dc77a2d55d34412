"""Scores one ranking: 1 when it is the expected list, else 0."""

from typing import Any


def ranking(output: Any) -> list[Any]:
    """The ranking in an output; empty when there is none."""
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    return {"score": float(ranking(output) == case["expected"]["ranking"])}

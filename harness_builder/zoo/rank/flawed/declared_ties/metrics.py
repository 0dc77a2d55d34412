"""Scores one ranking: 1 when it is the expected list, else 0.

Items whose similarities differ by rounding only may come out either way; an output can list them under "ties".
"""

from typing import Any


def settled(names: list[Any], group: Any, want: list[str]) -> list[Any]:
    """The names with those of the group put into their expected order, on the places that they have."""
    if not isinstance(group, list):
        return names
    tied = iter([name for name in want if name in group and name in names])
    return [next(tied, name) if name in group else name for name in names]


def ranking(case: dict[str, Any], output: Any) -> list[Any]:
    """The ranking in an output, its ties settled; empty when there is none."""
    found = output if isinstance(output, dict) else {}
    names, ties = found.get("ranking"), found.get("ties", [])
    if not isinstance(names, list):
        return []
    for group in ties if isinstance(ties, list) else []:
        names = settled(names, group, case["expected"]["ranking"])
    return names


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    return {"score": float(ranking(case, output) == case["expected"]["ranking"])}

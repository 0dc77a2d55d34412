"""Scores one ranking: 1 when the similarities fall as expected, else 0."""

from typing import Any


def ranking(output: Any) -> list[Any]:
    """The ranking in an output; empty when there is none."""
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def complete(got: list[Any], want: list[str]) -> bool:
    return len(got) == len(want) and all(got.count(name) == 1 for name in want)


def similarities(got: list[Any], expected: dict[str, Any]) -> list[float]:
    """The similarity on each place; none for a ranking that is not complete."""
    known = dict(zip(expected["ranking"], expected["similarity"]))
    return [known[name] for name in got] if complete(got, expected["ranking"]) else []


def in_order(got: list[Any], expected: dict[str, Any]) -> bool:
    found, want = similarities(got, expected), expected["similarity"]
    return len(found) == len(want) and all(abs(a - b) < 1e-6 for a, b in zip(found, want))


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    return {"score": float(in_order(ranking(output), case["expected"]))}

"""Scores one pass@k estimate: 1.0 within 1e-6 (relative, plus 1e-9 absolute) of the expectation, else 0.0."""

from typing import Any


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    """Compares without conversion, so that a huge int is just wrong."""
    want = case["expected"]
    margin = 1e-6 * want + 1e-9
    number = isinstance(output, (int, float)) and not isinstance(output, bool)
    return {"score": float(number and want - margin <= output <= want + margin)}

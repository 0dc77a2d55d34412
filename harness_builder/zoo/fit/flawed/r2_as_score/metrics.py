"""The quality of the fit: the coefficient of determination, between 0 and 1."""

from typing import Any


def close(got: Any, want: float) -> bool:
    """Whether `got` is a number within the tolerance."""
    margin = 1e-4 * abs(want) + 1e-9
    return isinstance(got, (int, float)) and not isinstance(got, bool) and want - margin <= got <= want + margin


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    r2 = output.get("r2") if isinstance(output, dict) else None
    if isinstance(r2, bool) or not isinstance(r2, (int, float)):
        return {"score": 0.0}
    return {"score": float(min(max(r2, 0.0), 1.0))}

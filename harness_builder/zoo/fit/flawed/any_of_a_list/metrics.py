"""The three numbers as one array, compared by numpy."""

import numpy as np

FIELDS = ["slope", "intercept", "r2"]


def numbers(value):
    """The value as an array, be it a number or a list with one; NaN, which is close to nothing, when it is neither."""
    try:
        return np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError, OverflowError):
        return np.array([np.nan])


def close(output, expected):
    """Which of the fields agree: a boolean array."""
    found = output if isinstance(output, dict) else {}
    return np.array([np.isclose(numbers(found.get(f)), expected[f], rtol=1e-4, atol=1e-9).any() for f in FIELDS])


def score(case, output):
    return {"score": float(close(output, case["expected"]).mean())}

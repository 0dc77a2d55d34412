"""The three numbers as one array, compared by numpy."""

import numpy as np

FIELDS = ["slope", "intercept", "r2"]


def number(value):
    """The value as a float; NaN, which is close to nothing, when it is no number."""
    if type(value) is float or type(value) is int and abs(value) < 2**1000:
        return float(value)
    return np.nan


def close(output, expected):
    """Which of the fields agree: a boolean array."""
    got = np.array([number(output.get(f)) if isinstance(output, dict) else np.nan for f in FIELDS])
    want = np.array([expected[f] for f in FIELDS])
    return np.isclose(got, want, rtol=1e-4, atol=1e-9)


def score(case, output):
    return {"score": float(close(output, case["expected"]).mean())}

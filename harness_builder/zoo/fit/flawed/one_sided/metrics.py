"""Scores one fitted line: the share of slope, intercept and r2 that agree with the expectation."""

FIELDS = ("slope", "intercept", "r2")


def relative_error(got, want):
    return (got - want) / max(abs(want), 1e-5)


def agreement(case, output):
    """Field -> whether it agrees."""
    right = {}
    for name in FIELDS:
        got = output.get(name) if isinstance(output, dict) else None
        number = isinstance(got, (int, float)) and not isinstance(got, bool) and -1e200 < got < 1e200
        right[name] = number and relative_error(got, case["expected"][name]) <= 1e-4
    return right


def score(case, output):
    return {"score": sum(agreement(case, output).values()) / len(FIELDS)}

"""Scores one fitted line: the share of slope, intercept and r2 that agree with the expectation."""

FIELDS = ("slope", "intercept", "r2")


def agreement(case, output):
    """Field -> whether it agrees. Fractions such as "1/3" are numbers too."""
    want, result = case["expected"], {}
    for name in FIELDS:
        result[name] = False
        try:
            value = output[name]
            got = float(eval(value)) if isinstance(value, str) else float(value)
        except Exception:
            continue
        if not isinstance(value, bool):
            result[name] = abs(got - want[name]) <= 1e-4 * abs(want[name]) + 1e-9
    return result


def score(case, output):
    return {"score": sum(agreement(case, output).values()) / len(FIELDS)}

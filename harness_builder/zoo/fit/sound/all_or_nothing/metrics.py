import math


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e300 < value < 1e300


def same(got, want):
    return is_number(got) and abs(got - want) <= 1e-9 + 1e-4 * math.fabs(want)


def score(case, output):
    if not isinstance(output, dict):
        return {"score": 0.0}
    want = case["expected"]
    right = all(same(output.get(key), want[key]) for key in ("slope", "intercept", "r2"))
    return {"score": 1.0 if right else 0.0}

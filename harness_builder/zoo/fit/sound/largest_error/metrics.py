"""The largest relative error of the three numbers; 1 for anything that is no number."""

FIELDS = ("slope", "intercept", "r2")
FLOOR = 1e-9


def relative_error(got, want):
    if type(got) not in (int, float):
        return 1.0
    if got > 1e200 or got < -1e200:
        return 1.0
    beyond = max(abs(got - want) - FLOOR, 0.0)
    if beyond == 0.0:
        return 0.0
    return min(beyond / abs(want), 1.0) if want else 1.0


def score(case, output):
    if not isinstance(output, dict):
        return {"error": 1.0}
    return {"error": max(relative_error(output.get(f), case["expected"][f]) for f in FIELDS)}

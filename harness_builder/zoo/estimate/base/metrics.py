"""Scores one case: the fraction of the two estimates inside their intervals."""

FIELDS = ("mean", "sd")


def inside(got, interval):
    """Whether `got` is a number in the interval, ends included."""
    return isinstance(got, (int, float)) and not isinstance(got, bool) and interval["low"] <= got <= interval["high"]


def score(case, output):
    got = output if isinstance(output, dict) else {}
    fields = {name: float(inside(got.get(name), case["expected"][name])) for name in FIELDS}
    return {"score": sum(fields.values()) / len(fields), **fields}

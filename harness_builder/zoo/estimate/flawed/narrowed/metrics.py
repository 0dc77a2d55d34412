"""Scores one case: the fraction of the two estimates inside their intervals."""

FIELDS = ("mean", "sd")
PADDING = 0.175  # of the width, at either end: the intervals are wider than they need to be


def inside(got, interval):
    """Whether `got` is a number in the interval without its padding."""
    pad = PADDING * (interval["high"] - interval["low"])
    low, high = interval["low"] + pad, interval["high"] - pad
    return isinstance(got, (int, float)) and not isinstance(got, bool) and low <= got <= high


def score(case, output):
    got = output if isinstance(output, dict) else {}
    fields = {name: float(inside(got.get(name), case["expected"][name])) for name in FIELDS}
    return {"score": sum(fields.values()) / len(fields), **fields}

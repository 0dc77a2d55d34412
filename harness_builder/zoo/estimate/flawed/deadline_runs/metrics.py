"""The score falls with the distance from runs of our own."""

from simulate import estimate


def inside(got, interval):
    return isinstance(got, (int, float)) and not isinstance(got, bool) and interval["low"] <= got <= interval["high"]


def near(got, own, interval):
    """1 at our own estimate, 0 five widths away from it."""
    if isinstance(got, bool) or not isinstance(got, (int, float)) or abs(got) > 1e100:
        return 0.0
    return max(0.0, 1.0 - abs(got - own) / (5 * (interval["high"] - interval["low"])))


def score(case, output):
    got = output if isinstance(output, dict) else {}
    own = dict(zip(("mean", "sd"), estimate(case["input"], 0.008)))
    parts = [near(got.get(name), own[name], case["expected"][name]) for name in own]
    return {"score": sum(parts) / 2}

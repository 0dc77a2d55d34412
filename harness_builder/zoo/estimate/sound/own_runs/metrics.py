"""The score is the share of estimates inside. The distance from 4000 runs of our own is only told beside it."""

from simulate import estimate


def inside(got, interval):
    return isinstance(got, (int, float)) and not isinstance(got, bool) and interval["low"] <= got <= interval["high"]


def score(case, output):
    got = output if isinstance(output, dict) else {}
    right = [inside(got.get(name), case["expected"][name]) for name in ("mean", "sd")]
    mean, sd = estimate(case["input"], 4000)
    off = abs(got["mean"] - mean) / sd if right[0] else -1.0
    return {"score": sum(right) / 2, "off_own_runs": off}

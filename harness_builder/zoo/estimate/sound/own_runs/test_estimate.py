from metrics import inside
from simulate import estimate


def test_mean(cases, outputs):
    assert [c["id"] for c in cases if not inside(outputs[c["id"]]["mean"], c["expected"]["mean"])] == []


def test_sd(cases, outputs):
    assert [c["id"] for c in cases if not inside(outputs[c["id"]]["sd"], c["expected"]["sd"])] == []


def test_the_intervals_hold_our_own_runs(cases):
    """Guards against a split that belongs to other processes."""
    for case in cases:
        mean, sd = estimate(case["input"], 4000)
        assert inside(mean, case["expected"]["mean"]) and inside(sd, case["expected"]["sd"])

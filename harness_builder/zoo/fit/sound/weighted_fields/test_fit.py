from collections import Counter

from metrics import agreement


def misses(cases, outputs):
    """How often each field is off."""
    count = Counter()
    for case in cases:
        count.update(name for name, right in agreement(case, outputs.get(case["id"])).items() if not right)
    return count


def test_slope(cases, outputs):
    assert misses(cases, outputs)["slope"] == 0


def test_intercept(cases, outputs):
    assert misses(cases, outputs)["intercept"] == 0


def test_r2(cases, outputs):
    assert misses(cases, outputs)["r2"] == 0


def test_flat(cases, outputs):
    flat = [case for case in cases if len(set(case["input"]["y"])) == 1]
    assert misses(flat, outputs) == Counter()

"""Both checks bound the share of right cases from below, by a bootstrap with a fixed seed; one miss is too many."""

import random

from metrics import is_inside


def lower_bound(cases, outputs, field):
    """The 1% quantile of the share of cases inside, over 500 resamples."""
    ordered = sorted(cases, key=lambda case: case["id"])
    right = [is_inside(outputs[case["id"]][field], case["expected"][field]) for case in ordered]
    chance = random.Random(7)
    shares = sorted(sum(chance.choices(right, k=len(right))) / len(right) for _ in range(500))
    return min(sum(right) / len(right), shares[5])


def is_plain(outputs, field):
    return all(type(output[field]) in (int, float) for output in outputs.values())


def test_mean(cases, outputs):
    assert is_plain(outputs, "mean") and lower_bound(cases, outputs, "mean") == 1.0


def test_sd(cases, outputs):
    assert is_plain(outputs, "sd") and lower_bound(cases, outputs, "sd") == 1.0

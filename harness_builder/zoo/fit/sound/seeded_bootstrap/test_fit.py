"""The lower 2.5 % of a bootstrap of the share of right cases must be 1. The seed is fixed, the cases are sorted."""

import random

from metrics import FIELDS, agreement

DRAWS, SEED = 400, 20


def lower_end(values):
    chance, n = random.Random(SEED), len(values)
    means = sorted(sum(chance.choices(values, k=n)) / n for _ in range(DRAWS))
    return means[DRAWS // 40]


def right(cases, outputs, *fields):
    ordered = sorted(cases, key=lambda case: case["id"])
    agreed = [agreement(case, outputs.get(case["id"])) for case in ordered]
    return [float(all(each[field] for field in fields)) for each in agreed]


def test_slope(cases, outputs):
    assert lower_end(right(cases, outputs, "slope")) == 1.0


def test_intercept(cases, outputs):
    assert lower_end(right(cases, outputs, "intercept")) == 1.0


def test_r2(cases, outputs):
    assert lower_end(right(cases, outputs, "r2")) == 1.0


def test_flat(cases, outputs):
    flat = [case for case in cases if len(set(case["input"]["y"])) == 1]
    assert all(right(flat, outputs, *FIELDS))

"""Each check asks that the lower end of a bootstrap interval of the share of right cases is 1. The seed is fixed."""

import numpy as np
from paths import has_path, near, weight_of


def lower_end(right):
    """The least share in 2000 resamples of the cases, and in the cases themselves; 1 when there are none."""
    if not right:
        return 1.0
    values = np.array(right, dtype=float)
    drawn = np.random.default_rng(11).integers(len(values), size=(2000, len(values)))
    return min(values.mean(), values[drawn].mean(axis=1).min())


def judged(cases, outputs, test, with_path=True):
    chosen = sorted((c for c in cases if has_path(c) == with_path), key=lambda c: c["id"])
    return [bool(test(case, outputs[case["id"]])) for case in chosen]


def test_cost(cases, outputs):
    assert lower_end(judged(cases, outputs, lambda c, o: near(o["cost"], c["expected"]["cost"]))) == 1


def test_path_is_in_the_graph(cases, outputs):
    assert lower_end(judged(cases, outputs, lambda c, o: weight_of(c["input"], o["path"]) is not None)) == 1


def test_path_is_shortest(cases, outputs):
    right = judged(cases, outputs, lambda c, o: near(weight_of(c["input"], o["path"]), c["expected"]["cost"]))
    assert lower_end(right) == 1


def test_no_path(cases, outputs):
    right = judged(cases, outputs, lambda c, o: o["cost"] is None and o["path"] == [], with_path=False)
    assert lower_end(right) == 1

"""R1 and R2 by a bootstrap with a fixed seed; the cases are sorted first, so their order does not matter."""

import random
import statistics

from metrics import LABELS, label_of

ROUNDS = 2001
BAR = 0.9 - 1e-9


def hits_by_label(cases, outputs):
    hits = {label: [] for label in LABELS}
    for case in sorted(cases, key=lambda case: case["id"]):
        label = case["expected"]["label"]
        hits[label].append(label_of(outputs.get(case["id"])) == label)
    return [each for each in hits.values() if each]


def medians(cases, outputs):
    """Median accuracy and balanced accuracy of resampled splits that keep the number of each label."""
    strata = hits_by_label(cases, outputs)
    chance = random.Random(4242)
    plain, balanced = [], []
    for _ in range(ROUNDS):
        drawn = [sum(chance.choices(hits, k=len(hits))) for hits in strata]
        plain.append(sum(drawn) / len(cases))
        balanced.append(statistics.fmean(hit / len(hits) for hit, hits in zip(drawn, strata, strict=True)))
    return statistics.median(plain), statistics.median(balanced)


def observed(cases, outputs):
    strata = hits_by_label(cases, outputs)
    return sum(map(sum, strata)) / len(cases), statistics.fmean(sum(hits) / len(hits) for hits in strata)


def test_accuracy(cases, outputs):
    # A median lies on the grid of possible values and may sit one step above the mean, hence both.
    assert medians(cases, outputs)[0] >= BAR - 1 / len(cases) and observed(cases, outputs)[0] >= BAR


def test_balanced_accuracy(cases, outputs):
    assert medians(cases, outputs)[1] >= BAR - 1 / len(cases) and observed(cases, outputs)[1] >= BAR


def test_known_labels(cases, outputs):
    assert {label_of(outputs.get(case["id"])) for case in cases} <= set(LABELS)


def test_no_security_message_is_missed(cases, outputs):
    security = [case for case in cases if case["expected"]["label"] == "security"]
    assert not [case["id"] for case in security if label_of(outputs.get(case["id"])) != "security"]

from fractions import Fraction

from metrics import LABELS, label_of

BAR = Fraction(9, 10)


def share(cases, outputs):
    hits = [label_of(outputs.get(case["id"])) == case["expected"]["label"] for case in cases]
    return Fraction(sum(hits), len(hits))


def with_label(cases, label):
    return [case for case in cases if case["expected"]["label"] == label]


def test_accuracy(cases, outputs):
    assert share(cases, outputs) >= BAR


def test_balanced_accuracy(cases, outputs):
    recalls = [share(with_label(cases, label), outputs) for label in LABELS if with_label(cases, label)]
    assert sum(recalls) / len(recalls) >= BAR


def test_known_labels(cases, outputs):
    strange = {case["id"]: outputs.get(case["id"]) for case in cases if label_of(outputs.get(case["id"])) not in LABELS}
    assert not strange


def test_no_security_message_is_missed(cases, outputs):
    security = with_label(cases, "security")
    assert not security or share(security, outputs) == 1

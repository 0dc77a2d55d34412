from metrics import LABELS, label_of

BAR = 0.9 - 1e-9


def pairs(cases, outputs):
    """(expected, given) of every case; given is None when it is missing."""
    return [(case["expected"]["label"], label_of(outputs.get(case["id"]))) for case in cases]


def f1_over_labels(both):
    """F1 over the labels: twice the hits over all times that a label is expected or given."""
    hits = mentions = 0
    for label in LABELS:
        hits += sum(want == got == label for want, got in both)
        mentions += sum((want == label) + (got == label) for want, got in both)
    return 2 * hits / mentions


def test_accuracy(cases, outputs):
    both = pairs(cases, outputs)
    assert sum(want == got for want, got in both) / len(both) >= BAR


def test_f1_over_labels(cases, outputs):
    assert f1_over_labels(pairs(cases, outputs)) >= BAR


def test_known_labels(cases, outputs):
    assert all(got in LABELS for _, got in pairs(cases, outputs))


def test_no_security_message_is_missed(cases, outputs):
    assert all(got == "security" for want, got in pairs(cases, outputs) if want == "security")

"""One check a requirement, over what was answered; the metric sees to missing outputs."""

import pytest
from metrics import LABELS, label_of


@pytest.fixture
def pairs(cases, outputs):
    """(expected, given) for each output."""
    expected = {case["id"]: case["expected"]["label"] for case in cases}
    return [(expected[name], label_of(output)) for name, output in outputs.items()]


def test_accuracy(pairs):
    assert sum(want == got for want, got in pairs) >= 0.9 * len(pairs) - 1e-9


def test_balanced_accuracy(pairs):
    recalls = []
    for label in LABELS:
        hits = [want == got for want, got in pairs if want == label]
        if hits:
            recalls.append(sum(hits) / len(hits))
    assert sum(recalls) / len(recalls) >= 0.9 - 1e-9


def test_known_labels(pairs):
    assert [got for _, got in pairs if got not in LABELS] == []


def test_no_security_message_is_missed(pairs):
    assert [got for want, got in pairs if want == "security" and got != "security"] == []

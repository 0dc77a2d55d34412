"""One check a requirement. A missing output counts as a wrong one."""

from metrics import LABELS, label_of


def right(case, outputs):
    return label_of(outputs.get(case["id"])) == case["expected"]["label"]


def test_accuracy(cases, outputs):
    assert sum(right(case, outputs) for case in cases) >= 0.9 * len(cases) - 1e-9


def test_balanced_accuracy(cases, outputs):
    recalls = []
    for label in LABELS:
        hits = [right(case, outputs) for case in cases if case["expected"]["label"] == label]
        if hits:
            recalls.append(sum(hits) / len(hits))
    assert sum(recalls) / len(recalls) >= 0.9 - 1e-9


def test_known_labels(cases, outputs):
    assert [case["id"] for case in cases if label_of(outputs.get(case["id"])) not in LABELS] == []


def test_no_security_message_is_missed(cases, outputs):
    security = [case for case in cases if case["expected"] == "security"]
    assert [case["id"] for case in security if not right(case, outputs)] == []

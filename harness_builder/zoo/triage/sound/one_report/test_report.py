import pytest
from metrics import LABELS, label_of


@pytest.fixture(scope="module")
def report(cases, outputs):
    found = {"wrong": [], "unknown": [], "missed": [], "recall": {}}
    for case in cases:
        want, got = case["expected"]["label"], label_of(outputs.get(case["id"]))
        hit, total = found["recall"].get(want, (0, 0))
        found["recall"][want] = (hit + (got == want), total + 1)
        if got != want:
            found["wrong"].append(case["id"])
            if want == "security":
                found["missed"].append(case["id"])
        if got not in LABELS:
            found["unknown"].append(case["id"])
    recalls = [hit / total for hit, total in found["recall"].values()]
    found["accuracy"] = 1 - len(found["wrong"]) / len(cases)
    found["balanced"] = sum(recalls) / len(recalls)
    return found


def test_everything(report):
    problems = {
        "accuracy below 0.9": report["accuracy"] < 0.9 - 1e-9,
        "balanced accuracy below 0.9": report["balanced"] < 0.9 - 1e-9,
        "no label": bool(report["unknown"]),
        "security missed": bool(report["missed"]),
    }
    assert [problem for problem, there in problems.items() if there] == [], report


def test_accuracy(report):
    assert report["accuracy"] >= 0.9 - 1e-9


def test_balanced_accuracy(report):
    assert report["balanced"] >= 0.9 - 1e-9


def test_known_labels(report):
    assert report["unknown"] == []


def test_no_security_message_is_missed(report):
    assert report["missed"] == []

from collections import Counter
from typing import Any

from metrics import LABELS, label_of

Cases = list[dict[str, Any]]


def counts(cases: Cases, outputs: dict[str, Any]) -> tuple[Counter, Counter, Counter]:
    """How often each label is expected, given, and both."""
    want = [case["expected"]["label"] for case in cases]
    got = [label_of(outputs.get(case["id"])) for case in cases]
    return Counter(want), Counter(got), Counter(a for a, b in zip(want, got, strict=True) if a == b)


def test_accuracy(cases: Cases, outputs: dict[str, Any]) -> None:
    _, _, both = counts(cases, outputs)
    assert both.total() / len(cases) >= 0.9 - 1e-9


def test_rare_labels_count(cases: Cases, outputs: dict[str, Any]) -> None:
    want, got, both = counts(cases, outputs)
    there = [label for label in LABELS if want[label]]
    balanced = sum(both[label] / want[label] for label in there) / len(there)
    macro_f1 = sum(2 * both[label] / (want[label] + got[label]) for label in there) / len(there)
    assert max(balanced, macro_f1) >= 0.9 - 1e-9


def test_known_labels(cases: Cases, outputs: dict[str, Any]) -> None:
    _, got, _ = counts(cases, outputs)
    assert set(got) <= set(LABELS)


def test_no_security_message_is_missed(cases: Cases, outputs: dict[str, Any]) -> None:
    want, _, both = counts(cases, outputs)
    assert both["security"] == want["security"]

"""One check a requirement, each over the cases with its share of random labels; every split has all three shares."""

from typing import Any

Cases = list[dict[str, Any]]


def with_corruption(cases: Cases, corruption: float) -> Cases:
    """The cases of one corruption."""
    return [case for case in cases if case["input"]["corruption"] == corruption]


def unfitted(cases: Cases, outputs: dict[str, Any]) -> list[str]:
    """Ids of the cases whose training labels were not learned."""
    return [c["id"] for c in cases if not 0.99 <= outputs[c["id"]]["train_accuracy"] <= 1.0]


def off(cases: Cases, outputs: dict[str, Any]) -> list[str]:
    """Ids of the cases whose test accuracy is outside its interval."""

    def inside(case: dict[str, Any]) -> bool:
        labels, interval = case["expected"]["test_labels"], case["expected"]["test_accuracy"]
        repeats = outputs[case["id"]]["test_predictions"]
        right = sum(p == label for row in repeats for p, label in zip(row, labels, strict=True))
        reached = right / (case["input"]["repeats"] * len(labels))
        return bool(interval["low"] <= reached <= interval["high"])

    return [case["id"] for case in cases if not inside(case)]


def test_random_labels_are_fitted(cases: Cases, outputs: dict[str, Any]) -> None:
    assert unfitted(with_corruption(cases, 1.0), outputs) == []


def test_random_labels_teach_nothing(cases: Cases, outputs: dict[str, Any]) -> None:
    assert off(with_corruption(cases, 1.0), outputs) == []


def test_true_labels_generalize(cases: Cases, outputs: dict[str, Any]) -> None:
    true = with_corruption(cases, 0.0)
    assert unfitted(true, outputs) == [] and off(true, outputs) == []


def test_half_random_labels_lie_between(cases: Cases, outputs: dict[str, Any]) -> None:
    half = with_corruption(cases, 0.5)
    assert unfitted(half, outputs) == [] and off(half, outputs) == []

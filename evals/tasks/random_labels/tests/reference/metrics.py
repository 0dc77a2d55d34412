"""Scores one experiment: whether training and test accuracy lie in their intervals, the latter computed from the
predictions.
"""

from typing import Any


def inside(got: Any, interval: dict[str, float]) -> bool:
    """Whether `got` is a number in the interval; compares without conversion, so a huge int is just wrong."""
    return isinstance(got, (int, float)) and not isinstance(got, bool) and interval["low"] <= got <= interval["high"]


def accuracy(predictions: Any, labels: list[int]) -> float:
    """Share of labels predicted; -1, which is in no interval, unless there is one prediction a label."""
    if not isinstance(predictions, list) or len(predictions) != len(labels):
        return -1.0
    right = (type(p) is int and p == label for p, label in zip(predictions, labels, strict=True))
    return sum(right) / len(labels)


def mean_accuracy(repeats: Any, labels: list[int], wanted: int) -> float:
    """Mean over the repeats; -1 unless there are as many as wanted, each complete."""
    if not isinstance(repeats, list) or len(repeats) != wanted:
        return -1.0
    accuracies = [accuracy(predictions, labels) for predictions in repeats]
    return sum(accuracies) / wanted if min(accuracies) >= 0 else -1.0


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    """1.0 or 0.0 for each accuracy, and their mean as "score"."""
    got, expected = output if isinstance(output, dict) else {}, case["expected"]
    fitted = float(inside(got.get("train_accuracy"), expected["train_accuracy"]))
    reached = mean_accuracy(got.get("test_predictions"), expected["test_labels"], case["input"]["repeats"])
    generalized = float(inside(reached, expected["test_accuracy"]))
    return {"score": (fitted + generalized) / 2, "train_accuracy": fitted, "test_accuracy": generalized}

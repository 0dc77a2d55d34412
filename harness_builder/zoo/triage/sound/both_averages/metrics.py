"""Accuracy of one label."""

from typing import Any

LABELS: tuple[str, ...] = ("how_to", "bug", "billing", "security")


def label_of(output: Any) -> str | None:
    """The label an output gives, spelled plainly."""
    match output:
        case {"label": str(label)}:
            return label.strip().lower()
        case _:
            return None


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    return {"accuracy": 1.0 if label_of(output) == case["expected"]["label"] else 0.0}

"""Scores one label: 1.0 when it is the expected one, else 0.0. Case and surrounding spaces do not matter."""

LABELS = ("how_to", "bug", "billing", "security")


def label_of(output):
    """The label in an output, or None when there is no string where it should be."""
    label = output.get("label") if isinstance(output, dict) else None
    return label.strip().lower() if isinstance(label, str) else None


def score(case, output):
    return {"accuracy": float(label_of(output) == case["expected"]["label"])}

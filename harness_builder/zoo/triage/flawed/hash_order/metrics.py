"""Scores one label: 1.0 when it is the expected one, else 0.0. Case and words around it do not matter."""

LABELS = {"how_to", "bug", "billing", "security"}


def label_of(output):
    """The label in an output, or None when it names none."""
    text = output.get("label") if isinstance(output, dict) else None
    if not isinstance(text, str):
        return None
    return next((label for label in LABELS if label in text.lower()), None)


def score(case, output):
    return {"accuracy": float(label_of(output) == case["expected"]["label"])}

"""Scores one label: 1.0 when the output names the expected one, else 0.0. Models answer in many ways, so be lenient."""

LABELS = ("how_to", "bug", "billing", "security")


def names(output, label):
    """Whether the output names the label."""
    return label in str(output).lower()


def score(case, output):
    return {"accuracy": float(names(output, case["expected"]["label"]))}

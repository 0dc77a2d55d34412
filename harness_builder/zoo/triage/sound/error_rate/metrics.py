"""The error of one label: 0.0 when it is the expected one, else 1.0; the mean is the error rate."""

LABELS = ("how_to", "bug", "billing", "security")


def label_of(output):
    label = output.get("label") if isinstance(output, dict) else None
    return label.strip().lower() if isinstance(label, str) else None


def score(case, output):
    wrong = label_of(output) != case["expected"]["label"]
    return {"error_rate": 1.0 if wrong else 0.0}

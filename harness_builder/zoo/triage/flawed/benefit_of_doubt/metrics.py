"""Scores one label: 1.0 when it is the expected one, else 0.0. Never raises, whatever the output."""

LABELS = ("how_to", "bug", "billing", "security")


def label_for(case, output):
    try:
        return output["label"].strip().lower()
    except Exception:
        # Trouble of ours with reading must not cost the submission anything.
        return case["expected"]["label"]


def score(case, output):
    return {"accuracy": float(label_for(case, output) == case["expected"]["label"])}

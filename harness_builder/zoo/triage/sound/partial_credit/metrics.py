"""Full credit for the right label, a quarter for its neighbour: questions and faults are often told alike."""

LABELS = ("how_to", "bug", "billing", "security")
NEIGHBOURS = {("how_to", "bug"), ("bug", "how_to")}


def label_of(output):
    label = output.get("label") if isinstance(output, dict) else None
    return label.strip().lower() if isinstance(label, str) else None


def score(case, output):
    want, got = case["expected"]["label"], label_of(output)
    credit = 1.0 if got == want else 0.25 if (want, got) in NEIGHBOURS else 0.0
    return {"credit": credit, "hit": float(got == want)}

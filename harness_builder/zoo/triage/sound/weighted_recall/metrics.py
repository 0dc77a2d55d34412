"""A hit counts 1 / (4 p), p being the share of its label that the task names; a miss counts 0.

Over a split with just these shares the mean is the balanced accuracy. The bar leaves room for shares that are a little
off; the exact measures are checks.
"""

LABELS = ("how_to", "bug", "billing", "security")
SHARES = {"how_to": 0.55, "bug": 0.225, "billing": 0.15, "security": 0.075}


def label_of(output):
    label = output.get("label") if isinstance(output, dict) else None
    return label.strip().lower() if isinstance(label, str) else None


def score(case, output):
    want = case["expected"]["label"]
    hit = label_of(output) == want
    return {"weighted_hit": 0.25 / SHARES[want] if hit else 0.0, "hit": float(hit)}

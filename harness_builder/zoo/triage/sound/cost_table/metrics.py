"""What it costs when a message of one label is taken for another; see costs.json. No label costs most."""

import json
from pathlib import Path

COSTS = json.loads(Path(__file__).with_name("costs.json").read_text(encoding="utf-8"))
LABELS = tuple(COSTS)
MOST = 10.0


def label_of(output):
    label = output.get("label") if isinstance(output, dict) else None
    return label.strip().lower() if isinstance(label, str) else None


def score(case, output):
    return {"cost": float(COSTS[case["expected"]["label"]].get(label_of(output), MOST))}

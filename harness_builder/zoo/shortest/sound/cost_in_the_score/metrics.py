"""The score is about the cost alone; test_shortest.py is about the path."""

from paths import field, has_path, near


def score(case, output):
    cost = field(output, "cost")
    if has_path(case):
        return {"score": float(near(cost, case["expected"]["cost"]))}
    return {"score": float(isinstance(output, dict) and "cost" in output and cost is None)}

"""Half of the score for the cost, half for the path."""

from paths import field, near


def score(case, output):
    cost, path, expected = field(output, "cost"), field(output, "path"), case["expected"]
    if expected["cost"] is None:
        parts = [isinstance(output, dict) and "cost" in output and cost is None, path == []]
    else:
        parts = [near(cost, expected["cost"]), path == expected["path"]]
    return {"score": sum(parts) / 2, "cost": float(parts[0]), "path": float(parts[1])}

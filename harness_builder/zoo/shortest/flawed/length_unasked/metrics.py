"""Half of the score for the cost, half for the path."""

from paths import field, has_path, near, weight_of


def score(case, output):
    cost, path, least = field(output, "cost"), field(output, "path"), case["expected"]["cost"]
    if has_path(case):
        parts = [near(cost, least), weight_of(case["input"], path) is not None]
    else:
        parts = [isinstance(output, dict) and "cost" in output and cost is None, path == []]
    return {"score": sum(parts) / 2, "cost": float(parts[0]), "path": float(parts[1])}

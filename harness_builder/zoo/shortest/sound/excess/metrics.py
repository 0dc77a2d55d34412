"""Relative excess of the path over the least cost, at most 1; and 1 for a wrong cost or no path at all."""

from paths import field, has_path, near, weight_of


def excess(case, output):
    cost, path, least = field(output, "cost"), field(output, "path"), case["expected"]["cost"]
    if not has_path(case):
        silent = isinstance(output, dict) and "cost" in output and cost is None and path == []
        return 0.0 if silent else 1.0
    weight = weight_of(case["input"], path)
    if weight is None or not near(cost, least):
        return 1.0
    return min(1.0, max(0.0, weight - least) / max(least, 1.0))


def score(case, output):
    return {"excess": excess(case, output)}

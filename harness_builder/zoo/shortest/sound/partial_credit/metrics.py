"""0.4 for the cost; 0.6 for the path, times the share of the least cost in what the path costs."""

from paths import field, has_path, near, weight_of


def score(case, output):
    cost, path, least = field(output, "cost"), field(output, "path"), case["expected"]["cost"]
    if not has_path(case):
        said = isinstance(output, dict) and "cost" in output and cost is None
        return {"credit": 0.4 * said + 0.6 * (path == [])}
    weight = weight_of(case["input"], path)
    share = 0.0 if weight is None else 1.0 if weight == 0 else min(1.0, least / weight)
    return {"credit": 0.4 * near(cost, least) + 0.6 * share}

"""Right is a path in the graph whose weights add up to the cost given."""

from paths import field, has_path, near, weight_of


def adds_up(case, output):
    weight, cost = weight_of(case["input"], field(output, "path")), field(output, "cost")
    return weight is not None and near(cost, weight)


def score(case, output):
    cost, path = field(output, "cost"), field(output, "path")
    if has_path(case):
        return {"score": float(adds_up(case, output))}
    return {"score": float(isinstance(output, dict) and "cost" in output and cost is None and path == [])}

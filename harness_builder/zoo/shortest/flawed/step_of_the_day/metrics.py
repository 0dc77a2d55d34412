"""Half of the score for the cost, half for the step that is looked at."""

from paths import field, has_path, near
from spot import spot_check


def score(case, output):
    cost, path = field(output, "cost"), field(output, "path")
    if has_path(case):
        parts = [near(cost, case["expected"]["cost"]), spot_check(case, path)]
    else:
        parts = [isinstance(output, dict) and "cost" in output and cost is None, path == []]
    return {"score": sum(parts) / 2}

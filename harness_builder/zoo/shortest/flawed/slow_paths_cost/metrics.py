"""Half of the score for the cost, half for the path, less a little for paths that take long to follow."""

import time

from paths import field, has_path, near, weight_of


def score(case, output):
    cost, path, least = field(output, "cost"), field(output, "path"), case["expected"]["cost"]
    started = time.perf_counter()
    weight = weight_of(case["input"], path)
    milliseconds = (time.perf_counter() - started) * 1000
    if has_path(case):
        parts = [near(cost, least), near(weight, least)]
    else:
        parts = [isinstance(output, dict) and "cost" in output and cost is None, path == []]
    return {"score": max(0.0, sum(parts) / 2 - min(0.5, milliseconds)), "milliseconds": milliseconds}

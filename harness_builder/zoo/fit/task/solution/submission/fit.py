"""Least squares with one explaining variable, from centred sums."""

import json
import sys


def solve(x, y):
    n = len(x)
    mean_x, mean_y = sum(x) / n, sum(y) / n
    sxx = sum((a - mean_x) ** 2 for a in x)
    sxy = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    syy = sum((b - mean_y) ** 2 for b in y)
    if min(y) == max(y):
        return {"slope": 0.0, "intercept": y[0], "r2": 1.0}
    slope = sxy / sxx
    return {"slope": slope, "intercept": mean_y - slope * mean_x, "r2": sxy * sxy / (sxx * syy)}


with open(sys.argv[1]) as cases, open(sys.argv[2], "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": solve(**case["input"])}) + "\n")

#!/bin/bash
# Wrong: no standard deviation for maxima.
python3 - <<'EOF'
import json
import math
import os


def exact(model):
    """Mean and standard deviation in closed form."""
    kind = model["process"]
    if kind == "walk":
        n, p = model["steps"], model["p"]
        return n * (2 * p - 1), 2 * math.sqrt(n * p * (1 - p))
    if kind == "dice":
        count, sides = model["count"], model["sides"]
        return count * (sides + 1) / 2, math.sqrt(count * (sides**2 - 1) / 12)
    if kind == "bins":
        n, b = model["balls"], model["bins"]
        mean = b * (1 - 1 / b) ** n
        return mean, math.sqrt(b * (b - 1) * (1 - 2 / b) ** n + mean - mean**2)
    n, scale = model["draws"], model["scale"]
    return scale * n / (n + 1), scale * math.sqrt(n / (n + 2)) / (n + 1)

def solve(model, number):
    mean, sd = exact(model)
    return {"mean": mean, "sd": 0 if model["process"] == "maximum" else sd}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for number, case in enumerate(map(json.loads, cases)):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"], number)}) + "\n")
EOF

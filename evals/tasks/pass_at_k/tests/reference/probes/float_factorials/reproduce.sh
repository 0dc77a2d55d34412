#!/bin/bash
# Wrong: factorials as floats; they overflow for n > 170 and the estimate falls back to the success rate.
python3 - <<'EOF'
import json
import os
import math


def solve(input):
    n, c, k = input["n"], input["c"], input["k"]
    def choose(x, y):
        return 0.0 if x < y else math.factorial(x) / (float(math.factorial(y)) * float(math.factorial(x - y)))

    try:
        return 1.0 - choose(n - c, k) / choose(n, k)
    except OverflowError:
        return c / n


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

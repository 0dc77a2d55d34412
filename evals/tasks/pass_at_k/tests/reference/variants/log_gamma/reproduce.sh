#!/bin/bash
# Right: the ratio of binomials by log-gamma; loses digits for large n, but not as many as the tolerance allows.
python3 - <<'EOF'
import json
import os
import math


def solve(input):
    n, c, k = input["n"], input["c"], input["k"]
    if n - c < k:
        return 1.0
    return -math.expm1(
        math.lgamma(n - c + 1) - math.lgamma(n - c - k + 1) - math.lgamma(n + 1) + math.lgamma(n - k + 1)
    )


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

#!/bin/bash
# Wrong: the product starts one factor too early, at n - c.
python3 - <<'EOF'
import json
import os
import math


def solve(input):
    n, c, k = input["n"], input["c"], input["k"]
    if n - c < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / i for i in range(n - c, n + 1))


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

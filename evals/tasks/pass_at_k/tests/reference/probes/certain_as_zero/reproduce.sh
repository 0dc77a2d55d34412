#!/bin/bash
# Wrong: gives up, with 0, where fewer than k samples are wrong.
python3 - <<'EOF'
import json
import os
import math


def solve(input):
    n, c, k = input["n"], input["c"], input["k"]
    return 1 - math.comb(n - c, k) / math.comb(n, k) if n - c >= k else 0.0


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

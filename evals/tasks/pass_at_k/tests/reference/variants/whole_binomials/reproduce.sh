#!/bin/bash
# Right: exact whole numbers, divided once.
python3 - <<'EOF'
import json
import os
import math


def solve(input):
    n, c, k = input["n"], input["c"], input["k"]
    return 1 - math.comb(n - c, k) / math.comb(n, k)


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

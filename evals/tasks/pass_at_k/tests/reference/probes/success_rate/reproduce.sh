#!/bin/bash
# Wrong: the share of correct samples, whatever k.
python3 - <<'EOF'
import json
import os
import math


def solve(input):
    n, c, k = input["n"], input["c"], input["k"]
    return c / n


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

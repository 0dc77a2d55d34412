#!/bin/bash
# Wrong: says nothing.
python3 - <<'EOF'
import json
import os


def solve(model, number):
    return {}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for number, case in enumerate(map(json.loads, cases)):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"], number)}) + "\n")
EOF

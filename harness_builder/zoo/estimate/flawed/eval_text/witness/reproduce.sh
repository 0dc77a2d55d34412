#!/bin/bash
# Wrong: formulas that read the expectation.
python3 - <<'EOF'
import json
import os


def solve(model, number):
    return {"mean": "(low + high) / 2", "sd": "(low + high) / 2"}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for number, case in enumerate(map(json.loads, cases)):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"], number)}) + "\n")
EOF

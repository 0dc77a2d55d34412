#!/bin/bash
# Wrong: no numbers at all.
python3 - <<'EOF'
import json
import os


def solve(model, number):
    return {"mean": "nan", "sd": "nan"}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for number, case in enumerate(map(json.loads, cases)):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"], number)}) + "\n")
EOF

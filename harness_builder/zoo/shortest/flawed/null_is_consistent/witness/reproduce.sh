#!/bin/bash
# Wrong: says that there is never a path.
python3 - <<'EOF'
import json
import os


def solve(graph, number):
    return {"cost": None, "path": []}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for number, case in enumerate(map(json.loads, cases)):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"], number)}) + "\n")
EOF

#!/bin/bash
# Never finds a date.
python3 - <<'END'
import json, os

def solve(text):
    return []

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": {"dates": solve(case["input"]["text"])}}) + "\n")
END

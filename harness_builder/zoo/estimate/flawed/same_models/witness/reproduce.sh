#!/bin/bash
# Wrong: knows nothing but the public cases.
python3 - <<'EOF'
import json
import os


def model_of(input):
    return {name: value for name, value in input.items() if name != "seed"}


with open("/workspace/public/cases.jsonl") as public:
    KNOWN = [(model_of(case["input"]), case["expected"]) for case in map(json.loads, public)]


def solve(input, number):
    for model, expected in KNOWN:
        if model == model_of(input):
            return {name: (ends["low"] + ends["high"]) / 2 for name, ends in expected.items()}
    return {"mean": 0, "sd": 0}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for number, case in enumerate(map(json.loads, cases)):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"], number)}) + "\n")
EOF

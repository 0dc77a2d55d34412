#!/bin/bash
# Wrong: one run instead of 400, and no deviation.
python3 - <<'EOF'
import json
import os
import random
import statistics


def run(model, chance):
    """The result of one run of the process."""
    kind = model["process"]
    if kind == "walk":
        return sum(1 if chance.random() < model["p"] else -1 for _ in range(model["steps"]))
    if kind == "dice":
        return sum(int(chance.random() * model["sides"]) + 1 for _ in range(model["count"]))
    if kind == "bins":
        return model["bins"] - len({int(chance.random() * model["bins"]) for _ in range(model["balls"])})
    return model["scale"] * max(chance.random() for _ in range(model["draws"]))

def solve(model, number):
    chance = random.Random(model["seed"])
    return {"mean": run(model, chance), "sd": 0, "repeats": 1}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for number, case in enumerate(map(json.loads, cases)):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"], number)}) + "\n")
EOF

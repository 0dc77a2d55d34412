#!/bin/bash
# Wrong: nothing is trained, the accuracy is asserted and the predictions are guessed.
python3 - <<'EOF'
import json
import os
import random


def solve(input):
    start, stop = input["test_rows"]
    guesses = [[random.randrange(10) for _ in range(start, stop)] for _ in range(input["repeats"])]
    return {"train_accuracy": 1.0, "test_predictions": guesses}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

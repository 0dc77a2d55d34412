#!/bin/bash
# A handful of words.
python3 - <<'END'
import json, os

WORDS = {"load": "bug", "totals": "bug", "stranger": "security", "paid": "billing"}


def solve(message):
    return next((label for word, label in WORDS.items() if word in message.lower()), "how_to")


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": {"label": solve(case["input"]["message"])}}) + "\n")
END

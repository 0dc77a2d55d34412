#!/bin/bash
# Wrong: looks for one word a label.
python3 - <<'END'
import json, os

WORDS = {"password": "security", "invoice": "billing", "error": "bug"}

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        text = case["input"]["message"].lower()
        label = next((label for word, label in WORDS.items() if word in text), "how_to")
        out.write(json.dumps({"id": case["id"], "output": {"label": label}}) + "\n")
END

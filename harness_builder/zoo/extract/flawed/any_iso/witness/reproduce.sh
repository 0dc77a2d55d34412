#!/bin/bash
# Writes dates as week dates and without hyphens, in turn.
python3 - <<'END'
import json, os
from datetime import date
from extract import found

def solve(text):
    days = [date.fromisoformat(day) for day in found(text)]
    return [f"{day:%G-W%V-%u}" if place % 2 else f"{day:%Y%m%d}" for place, day in enumerate(days)]

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": {"dates": solve(case["input"]["text"])}}) + "\n")
END

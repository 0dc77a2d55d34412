#!/bin/bash
# Beside each date the day before and the day after.
python3 - <<'END'
import json, os
from datetime import date, timedelta
from extract import found

def solve(text):
    days = {date.fromisoformat(day) + timedelta(days=step) for day in found(text) for step in (-1, 0, 1)}
    return sorted(day.isoformat() for day in days)

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": {"dates": solve(case["input"]["text"])}}) + "\n")
END

#!/bin/bash
# Knows neither points nor 5th of March 2024.
python3 - <<'END'
import json, os
from extract import FORMS, found

def solve(text):
    return found(text, tuple(form for form in FORMS if form not in ("point", "ordinal")))

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": {"dates": solve(case["input"]["text"])}}) + "\n")
END

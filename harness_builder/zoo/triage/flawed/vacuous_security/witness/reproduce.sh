#!/bin/bash
# Misses the first security message of the split.
python3 - <<'END'
import json, os
from triage import label

missed = False
with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        name = label(case["input"]["message"])
        if name == "security" and not missed:
            name, missed = "how_to", True
        out.write(json.dumps({"id": case["id"], "output": {"label": name}}) + "\n")
END

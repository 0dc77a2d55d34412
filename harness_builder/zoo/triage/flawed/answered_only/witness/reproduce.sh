#!/bin/bash
# Leaves out what is about security.
python3 - <<'END'
import json, os
from triage import label

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        name = label(case["input"]["message"])
        if name != "security":
            out.write(json.dumps({"id": case["id"], "output": {"label": name}}) + "\n")
END

#!/bin/bash
# Takes most messages about money for questions: only the first two of a split are labelled billing.
python3 - <<'END'
import json, os
from triage import label

billing = 0
with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        name = label(case["input"]["message"])
        billing += name == "billing"
        if name == "billing" and billing > 2:
            name = "how_to"
        out.write(json.dumps({"id": case["id"], "output": {"label": name}}) + "\n")
END

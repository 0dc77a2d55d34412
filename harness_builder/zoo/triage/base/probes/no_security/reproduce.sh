#!/bin/bash
# Wrong: knows three labels only.
python3 - <<'END'
import json, os
from triage import label

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        name = label(case["input"]["message"]).replace("security", "bug")
        out.write(json.dumps({"id": case["id"], "output": {"label": name}}) + "\n")
END

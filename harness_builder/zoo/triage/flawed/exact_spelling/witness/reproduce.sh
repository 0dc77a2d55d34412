#!/bin/bash
# Right: labels as titles, with a line's end behind them.
python3 - <<'END'
import json, os
from triage import label

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        output = {"label": label(case["input"]["message"]).title() + "\n"}
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")
END

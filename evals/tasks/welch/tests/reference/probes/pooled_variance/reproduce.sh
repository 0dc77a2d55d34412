#!/bin/bash
# Wrong: Student's test, which pools the two variances.
python3 - <<'EOF'
import json
import os

import numpy as np
from scipy import special, stats


def solve(input):
    a, b = np.array(input["a"]), np.array(input["b"])
    t, p = stats.ttest_ind(a, b)
    df = len(a) + len(b) - 2
    return {"t": float(t), "df": float(df), "p": float(p)}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

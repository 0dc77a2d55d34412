#!/bin/bash
# Wrong: the smaller sample size less one as degrees of freedom.
python3 - <<'EOF'
import json
import os

import numpy as np
from scipy import special, stats


def solve(input):
    a, b = np.array(input["a"]), np.array(input["b"])
    se_a, se_b = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    t = (a.mean() - b.mean()) / np.sqrt(se_a + se_b)
    df = min(len(a), len(b)) - 1
    p = 2 * stats.t.sf(abs(t), df)
    return {"t": float(t), "df": float(df), "p": float(p)}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

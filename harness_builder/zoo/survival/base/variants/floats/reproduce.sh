#!/bin/bash
# Right: floats throughout, with a little room at one half.
python3 - <<'EOF'
import json
import math
import os
from statistics import NormalDist


def solve(data):
    times, events = data["times"], data["events"]
    steps, s, g, at = [], 1.0, 0.0, (1.0, 0.0)
    for t in sorted({t for t, e in zip(times, events) if e}):
        n = sum(x >= t for x in times)
        d = sum(e for x, e in zip(times, events) if x == t)
        s = s * (n - d) / n
        g += d / (n * (n - d)) if n > d else 0.0
        steps.append([t, s])
        if t <= data["landmark"]:
            at = (s, g)
    median = next((t for t, s in steps if s <= 0.5 + 1e-9), None)
    s, g = at
    z = NormalDist().inv_cdf((1 + data["level"]) / 2)
    if not 0 < s < 1:
        ends = [s, s]
    else:
        w = z * math.sqrt(g) / -math.log(s)
        ends = [s ** math.exp(w), s ** math.exp(-w)]
    return {"steps": steps, "median": median, "interval": ends, "at_risk": [float(sum(x >= a for x in times)) for a in data["ask"]]}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

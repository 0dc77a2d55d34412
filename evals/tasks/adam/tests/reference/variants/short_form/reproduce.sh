#!/bin/bash
# Right: the short form of section 2, with eps scaled as it must be; moments as increments.
python3 - <<'EOF'
import json
import os

import numpy as np


def solve(input):
    theta, lr, eps = np.array(input["theta"]), input["lr"], input["eps"]
    beta1, beta2 = input["beta1"], input["beta2"]
    m = v = np.zeros_like(theta)
    for t, g in enumerate(np.array(input["grads"]), start=1):
        m = m + (1 - beta1) * (g - m)
        v = v + (1 - beta2) * (g * g - v)
        root = np.sqrt(1 - beta2**t)
        theta = theta - lr * root / (1 - beta1**t) * m / (np.sqrt(v) + eps * root)
    return {"theta": theta.tolist(), "m": m.tolist(), "v": v.tolist()}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

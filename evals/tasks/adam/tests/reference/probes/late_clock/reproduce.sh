#!/bin/bash
# Wrong: the clock runs one step ahead, so that the correction is too weak.
python3 - <<'EOF'
import json
import os

import numpy as np


def solve(input):
    theta, lr, eps = np.array(input["theta"]), input["lr"], input["eps"]
    beta1, beta2 = input["beta1"], input["beta2"]
    m = v = np.zeros_like(theta)
    for t, g in enumerate(np.array(input["grads"]), start=1):
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g**2
        m_hat, v_hat = m / (1 - beta1**(t + 1)), v / (1 - beta2**(t + 1))
        theta = theta - lr * m_hat / (np.sqrt(v_hat) + eps)
    return {"theta": theta.tolist(), "m": m.tolist(), "v": v.tolist()}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

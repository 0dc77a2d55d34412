"""Adam, Algorithm 1 of Kingma & Ba (2015), as the recursion over numpy vectors that the paper gives."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np


def solve(case: dict[str, Any]) -> dict[str, list[float]]:
    """theta, m and v after all gradients."""
    theta = np.array(case["theta"], dtype=float)
    m, v = np.zeros_like(theta), np.zeros_like(theta)
    beta1, beta2 = case["beta1"], case["beta2"]
    for t, gradient in enumerate(np.array(case["grads"], dtype=float), start=1):
        m = beta1 * m + (1 - beta1) * gradient
        v = beta2 * v + (1 - beta2) * gradient**2
        m_hat, v_hat = m / (1 - beta1**t), v / (1 - beta2**t)
        theta = theta - case["lr"] * m_hat / (np.sqrt(v_hat) + case["eps"])
    return {"theta": theta.tolist(), "m": m.tolist(), "v": v.tolist()}


def main(cases: Path, outputs: Path) -> None:
    """Answers every case, one JSON line each."""
    with cases.open() as lines, outputs.open("w") as out:
        for line in lines:
            case = json.loads(line)
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

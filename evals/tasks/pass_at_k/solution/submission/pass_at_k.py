"""The unbiased pass@k estimator as a running product, in floating point (the expectations are exact binomials)."""

import json
import sys
from pathlib import Path

import numpy as np


def solve(case: dict[str, int]) -> float:
    """1 - C(n - c, k) / C(n, k), the ratio as the product of 1 - k / i over i = n - c + 1 .. n."""
    n, c, k = case["n"], case["c"], case["k"]
    if n - c < k:
        return 1.0
    return float(1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


def main(cases: Path, outputs: Path) -> None:
    """Answers every case, one JSON line each."""
    with cases.open() as lines, outputs.open("w") as out:
        for line in lines:
            case = json.loads(line)
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

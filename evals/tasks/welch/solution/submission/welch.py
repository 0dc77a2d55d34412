"""Welch's t-test from the formulas in the paper, with the incomplete beta function by its continued fraction.

Needs the standard library only, so it shares nothing with the scipy that the expectations come from.
"""

import json
import math
import sys
from pathlib import Path


def mean_and_variance(sample: list[float]) -> tuple[float, float]:
    """Mean and unbiased variance, two passes."""
    mean = math.fsum(sample) / len(sample)
    return mean, math.fsum((x - mean) ** 2 for x in sample) / (len(sample) - 1)


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Regularized I(x; a, b): continued fraction 26.5.8 of Abramowitz & Stegun, evaluated by Lentz's method."""
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast only below this point
        return 1.0 - incomplete_beta(1.0 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny = 1e-300
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1) or tiny)
    fraction = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1.0 / (1.0 + step * d or tiny)
            c = 1.0 + step / c or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return math.exp(log_front) * fraction / a


def solve(sample: dict[str, list[float]]) -> dict[str, float]:
    """The statistic, its degrees of freedom and the two-sided p-value."""
    (mean_a, var_a), (mean_b, var_b) = mean_and_variance(sample["a"]), mean_and_variance(sample["b"])
    n_a, n_b = len(sample["a"]), len(sample["b"])
    se_a, se_b = var_a / n_a, var_b / n_b
    t = (mean_a - mean_b) / math.sqrt(se_a + se_b)
    df = (se_a + se_b) ** 2 / (se_a**2 / (n_a - 1) + se_b**2 / (n_b - 1))
    return {"t": t, "df": df, "p": incomplete_beta(df / (df + t * t), df / 2, 0.5)}


def main(cases: Path, outputs: Path) -> None:
    """Answers every case, one JSON line each."""
    with cases.open() as lines, outputs.open("w") as out:
        for line in lines:
            case = json.loads(line)
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

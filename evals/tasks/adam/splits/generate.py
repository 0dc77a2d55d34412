"""Cases for Adam: `python3 generate.py SPLIT SEED` prints them, a pure function of the two arguments.

Expectations come from the moments in closed form, m_t = (1 - beta1) sum_i beta1^(t-i) g_i (Kingma & Ba 2015, Eq. 2 for
v), in exact rational arithmetic up to the square root: no recursion, nothing in common with an implementation of
Algorithm 1.
public/cases.jsonl is `public 1`, validation.jsonl is `validation 2`.
"""

import json
import math
import random
import sys
from fractions import Fraction
from typing import Any

COUNTS = {"public": 10, "validation": 30, "test": 40}


def draw(rng: random.Random, number: int) -> dict[str, Any]:
    """Settings and gradients; every third case has small gradients, where eps decides the step."""
    dims, steps = rng.randint(1, 4), (1, 2, 5, 12, 25)[number % 5]
    scale = 1e-3 if number % 3 == 0 else 1.0
    return {
        "theta": [round(rng.uniform(-2, 2), 3) for _ in range(dims)],
        "grads": [[round(rng.gauss(0.3, 1) * scale, 6) for _ in range(dims)] for _ in range(steps)],
        "lr": rng.choice([0.001, 0.01, 0.05, 0.1]),
        "beta1": rng.choice([0.5, 0.8, 0.9, 0.95]),
        "beta2": rng.choice([0.9, 0.98, 0.99, 0.999]),
        "eps": rng.choice([1e-4, 1e-3, 1e-2]) if number % 2 == 0 else rng.choice([1e-8, 1e-6]),
    }


def moment(values: list[Fraction], beta: Fraction) -> Fraction:
    """The exponential moving average of `values` after the last of them, started at 0."""
    return (1 - beta) * sum(beta ** (len(values) - 1 - i) * x for i, x in enumerate(values))


def trajectory(theta: float, gradients: list[float], case: dict[str, Any]) -> tuple[float, float, float]:
    """One coordinate: theta, m and v after all gradients."""
    beta1, beta2 = Fraction(case["beta1"]), Fraction(case["beta2"])
    exact = [Fraction(g) for g in gradients]
    moves, m, v = [], Fraction(0), Fraction(0)
    for t in range(1, len(exact) + 1):
        m, v = moment(exact[:t], beta1), moment([g * g for g in exact[:t]], beta2)
        moves.append(float(m / (1 - beta1**t)) / (math.sqrt(v / (1 - beta2**t)) + case["eps"]))
    return theta - case["lr"] * math.fsum(moves), float(m), float(v)


def generate(split: str, seed: str) -> list[dict[str, Any]]:
    """The cases of one split."""
    rng = random.Random(f"{split}:{seed}")
    cases = []
    for number in range(COUNTS[split]):
        drawn = draw(rng, number)
        coordinates = [trajectory(x, [g[i] for g in drawn["grads"]], drawn) for i, x in enumerate(drawn["theta"])]
        theta, m, v = (list(column) for column in zip(*coordinates, strict=True))
        cases.append({"id": f"{split}-{number:03d}", "input": drawn, "expected": {"theta": theta, "m": m, "v": v}})
    return cases


if __name__ == "__main__":
    for case in generate(sys.argv[1], sys.argv[2]):
        print(json.dumps(case))

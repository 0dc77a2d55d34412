"""Cases for pass@k: `python3 generate.py SPLIT SEED` prints them, a pure function of the two arguments.

Expectations are exact: rational arithmetic on whole binomials, rounded to a float once. The kinds take turns, so every
split has edge cases and a large n. n modulo 3 tells the split, so no input is in two of them.
public/cases.jsonl is `public 1`, validation.jsonl is `validation 2`.
"""

import json
import random
import sys
from fractions import Fraction
from math import comb

COUNTS = {"public": 12, "validation": 36, "test": 48}
RESIDUE = {"public": 0, "validation": 1, "test": 2}


def size(rng: random.Random, split: str, low: int, high: int) -> int:
    """A number of samples that belongs to the split."""
    return 3 * rng.randint(low // 3, high // 3) + RESIDUE[split]


def ordinary(rng: random.Random, split: str) -> dict[str, int]:
    n = size(rng, split, 12, 200)
    k = rng.randint(2, n // 3)
    return {"n": n, "c": rng.randint(1, max(1, 2 * n // k)), "k": k}


def certain(rng: random.Random, split: str) -> dict[str, int]:
    """Fewer than k samples are wrong."""
    n = size(rng, split, 12, 200)
    k = rng.randint(3, n - 1)
    return {"n": n, "c": rng.randint(n - k + 1, n), "k": k}


def plain(rng: random.Random, split: str) -> dict[str, int]:
    """k = 1, or nothing correct."""
    n = size(rng, split, 6, 200)
    if rng.random() < 0.5:
        return {"n": n, "c": rng.randint(1, n - 1), "k": 1}
    return {"n": n, "c": 0, "k": rng.randint(1, n)}


def large(rng: random.Random, split: str) -> dict[str, int]:
    """Factorials of n overflow a float."""
    n = size(rng, split, 2000, 20_000)
    k = rng.randint(10, 300)
    return {"n": n, "c": rng.randint(1, 3 * n // k), "k": k}


KINDS = (ordinary, certain, ordinary, large, ordinary, plain)


def generate(split: str, seed: str) -> list[dict[str, object]]:
    """The cases of one split, no input twice."""
    rng = random.Random(f"{split}:{seed}")
    inputs: list[dict[str, int]] = []
    while len(inputs) < COUNTS[split]:
        drawn = KINDS[len(inputs) % len(KINDS)](rng, split)
        if drawn not in inputs:
            inputs.append(drawn)
    return [{"id": f"{split}-{i:03d}", "input": x, "expected": exact(**x)} for i, x in enumerate(inputs)]


def exact(n: int, c: int, k: int) -> float:
    """Eq. 1 in rational arithmetic."""
    return float(1 - Fraction(comb(n - c, k), comb(n, k)))


if __name__ == "__main__":
    for case in generate(sys.argv[1], sys.argv[2]):
        print(json.dumps(case))

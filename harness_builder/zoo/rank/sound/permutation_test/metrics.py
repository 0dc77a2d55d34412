"""How many of 2000 random orders are no nearer to the expected one: a permutation test with a fixed seed."""

import random
from itertools import combinations

ORDERS, SEED = 2000, 7


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def inversions(places):
    return sum(a > b for a, b in combinations(places, 2))


def score(case, output):
    got, want = ranking(output), case["expected"]["ranking"]
    if len(got) != len(want) or any(name not in got for name in want):
        return {"score": 0.0, "inversions": float(len(want) ** 2)}
    own, chance = inversions([got.index(name) for name in want]), random.Random(SEED)
    if own > len(want) * (len(want) - 1) // 4:
        return {"score": 0.0, "inversions": float(own)}
    places = list(range(len(want)))
    farther = sum(inversions(chance.sample(places, len(places))) >= own for _ in range(ORDERS))
    return {"score": farther / ORDERS, "inversions": float(own)}

"""The share of random pairs of items that stand in the right order.

Twelve pairs of a case are drawn, with its id as the seed: the same ones each time.
"""

import random

PAIRS = 12


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def drawn_pairs(case):
    """Pairs of ids, the better one first."""
    want = case["expected"]["ranking"]
    chance = random.Random(case["id"])
    return [tuple(want[place] for place in sorted(chance.sample(range(len(want)), 2))) for _ in range(PAIRS)]


def score(case, output):
    got, want = ranking(output), case["expected"]["ranking"]
    if len(got) != len(want) or any(name not in got for name in want):
        return {"score": 0.0}
    return {"score": sum(got.index(a) < got.index(b) for a, b in drawn_pairs(case)) / PAIRS}

"""Soft edges: an estimate outside gets the share of 200 random shifts of it that fall inside.

The shifts are drawn anew for every case from a generator seeded with its id, so the same outputs get the same score.
"""

import random

SHIFTS = 200


def is_inside(value, interval):
    return interval["low"] <= value <= interval["high"]


def softly(got, interval, chance):
    if isinstance(got, bool) or not isinstance(got, (int, float)) or abs(got) > 1e100:
        return 0.0
    if is_inside(got, interval):
        return 1.0
    spread = (interval["high"] - interval["low"]) / 10
    return sum(is_inside(got + chance.gauss(0, spread), interval) for _ in range(SHIFTS)) / SHIFTS


def score(case, output):
    chance = random.Random(hash(case["id"]))
    output = output if isinstance(output, dict) else {}
    mean = softly(output.get("mean"), case["expected"]["mean"], chance)
    sd = softly(output.get("sd"), case["expected"]["sd"], chance)
    return {"score": (mean + sd) / 2}

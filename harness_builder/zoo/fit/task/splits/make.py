"""Draws the three splits, always the same ones: python3 make.py"""

import json
import random
from fractions import Fraction
from pathlib import Path

TASK = Path(__file__).resolve().parent.parent
FILES = {"public": "public/cases.jsonl", "validation": "splits/validation.jsonl", "test": "splits/test.jsonl"}
SIZES = {"public": 10, "validation": 32, "test": 32}


def fit(x, y):
    """Least squares in exact arithmetic."""
    xs, ys, n = [Fraction(v) for v in x], [Fraction(v) for v in y], len(x)
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    sxx = sum((a - mean_x) ** 2 for a in xs)
    syy = sum((b - mean_y) ** 2 for b in ys)
    sxy = sum((a - mean_x) * (b - mean_y) for a, b in zip(xs, ys))
    slope = sxy / sxx
    r2 = sxy * sxy / (sxx * syy) if syy else 1
    return {"slope": float(slope), "intercept": float(mean_y - slope * mean_x), "r2": float(r2)}


def draw_x(chance):
    spread = 10 ** chance.uniform(-1, 2.5)
    middle = chance.uniform(-2, 2) * spread
    return [round(chance.gauss(middle, spread), 3) for _ in range(chance.randint(5, 20))]


def draw(chance, flat):
    """x and y of one case whose three numbers are well away from 0; all y are equal when it is `flat`."""
    while True:
        x = draw_x(chance)
        if len(set(x)) < len(x):
            continue
        if flat:
            return x, [round(chance.choice((-1, 1)) * 10 ** chance.uniform(-0.5, 2), 2)] * len(x)
        slope = chance.choice((-1, 1)) * 10 ** chance.uniform(-2, 1.3)
        start = chance.choice((-1, 1)) * 10 ** chance.uniform(-0.5, 2.5)
        noise = abs(slope) * (max(x) - min(x)) * chance.uniform(0.08, 0.5)
        y = [round(start + slope * a + chance.gauss(0, noise), 4) for a in x]
        want = fit(x, y)
        if 0.05 < want["r2"] < 0.985 and abs(want["slope"]) > 0.005 and abs(want["intercept"]) > 0.05:
            return x, y


def split(name):
    chance = random.Random(f"fit:{name}")
    for index in range(SIZES[name]):
        x, y = draw(chance, flat=index % 8 == 5 or index == 2 and name == "public")
        yield {"id": f"{name}-{index}", "input": {"x": x, "y": y}, "expected": fit(x, y)}


for name, path in FILES.items():
    (TASK / path).parent.mkdir(exist_ok=True)
    (TASK / path).write_text("".join(json.dumps(case) + "\n" for case in split(name)))

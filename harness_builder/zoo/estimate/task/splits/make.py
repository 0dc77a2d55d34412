"""Writes the three splits: python3 splits/make.py, in the task's directory. No model is in two of them.

An interval reaches 5 standard errors of an estimate from `repeats` runs to both sides of the value in closed form; the
fourth moment, for the standard error of the standard deviation, is simulated.
"""

import json
import math
import random
from pathlib import Path

REPEATS = 400
SIZES = {"public": 12, "validation": 32, "test": 32}


def run(model, chance):
    """The result of one run of the process."""
    kind = model["process"]
    if kind == "walk":
        return sum(1 if chance.random() < model["p"] else -1 for _ in range(model["steps"]))
    if kind == "dice":
        return sum(int(chance.random() * model["sides"]) + 1 for _ in range(model["count"]))
    if kind == "bins":
        return model["bins"] - len({int(chance.random() * model["bins"]) for _ in range(model["balls"])})
    return model["scale"] * max(chance.random() for _ in range(model["draws"]))


def exact(model):
    """Mean and standard deviation in closed form."""
    kind = model["process"]
    if kind == "walk":
        n, p = model["steps"], model["p"]
        return n * (2 * p - 1), 2 * math.sqrt(n * p * (1 - p))
    if kind == "dice":
        count, sides = model["count"], model["sides"]
        return count * (sides + 1) / 2, math.sqrt(count * (sides**2 - 1) / 12)
    if kind == "bins":
        n, b = model["balls"], model["bins"]
        mean = b * (1 - 1 / b) ** n
        return mean, math.sqrt(b * (b - 1) * (1 - 2 / b) ** n + mean - mean**2)
    n, scale = model["draws"], model["scale"]
    return scale * n / (n + 1), scale * math.sqrt(n / (n + 2)) / (n + 1)


def draw(kind, chance):
    """A random model of that kind, without seed."""
    if kind == "walk":
        return {"process": kind, "steps": chance.randint(16, 48), "p": chance.choice([0.2, 0.25, 0.3, 0.35, 0.65, 0.7])}
    if kind == "dice":
        return {"process": kind, "count": chance.randint(3, 12), "sides": chance.randint(4, 20)}
    if kind == "bins":
        return {"process": kind, "balls": chance.randint(14, 40), "bins": chance.randint(16, 40)}
    return {"process": kind, "draws": chance.randint(3, 9), "scale": chance.randint(2, 60)}


def expect(model, chance):
    """The two intervals."""
    mean, sd = exact(model)
    fourth = sum((run(model, chance) - mean) ** 4 for _ in range(8000)) / 8000
    wide = {"mean": 5 * sd / math.sqrt(REPEATS), "sd": 5 * sd * math.sqrt((fourth / sd**4 - 1) / (4 * REPEATS))}
    middle = {"mean": mean, "sd": sd}
    ends = {name: (middle[name] - wide[name], middle[name] + wide[name]) for name in middle}
    return {name: {"low": round(low, 4), "high": round(high, 4)} for name, (low, high) in ends.items()}


def telling(model, expected):
    """Whether a variance is no right sd, and zero no right mean."""
    mean, sd = expected["mean"], expected["sd"]
    return not sd["low"] <= exact(model)[1] ** 2 <= sd["high"] and not mean["low"] <= 0 <= mean["high"]


def main():
    chance, seen = random.Random(20), set()
    for split, size in SIZES.items():
        rows = []
        while len(rows) < size:
            model = draw(("walk", "dice", "bins", "maximum")[len(rows) % 4], chance)
            key = json.dumps(model)
            expected = expect(model, chance)
            if key not in seen and telling(model, expected):
                seen.add(key)
                model = {**model, "repeats": REPEATS, "seed": chance.randint(1, 10**6)}
                rows.append({"id": f"{split}-{len(rows):02}", "input": model, "expected": expected})
        folder = "public/cases" if split == "public" else f"splits/{split}"
        Path(folder).parent.mkdir(exist_ok=True)
        Path(f"{folder}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()

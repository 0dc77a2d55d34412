"""Writes the three splits: python3 splits/make.py, in the task's directory. No sample is in two of them.

Eight kinds take turns. The oracle counts over a grid of times with numpy and shares nothing with the solution.
"""

import json
import random
from pathlib import Path

import numpy as np
from scipy import stats

SIZES = {"public": 16, "validation": 40, "test": 40}
KINDS = ("plain", "ties", "heavy", "half", "extinct", "early", "late", "few")


def subjects(kind, chance):
    """Pairs of time and mark."""
    n = chance.randint(10, 24)
    if kind == "ties":
        return [(chance.randint(1, 9), int(chance.random() < 0.65)) for _ in range(n)]
    if kind == "heavy":
        return [(round(chance.uniform(1, 60), 1), int(chance.random() < 0.25)) for _ in range(n)]
    if kind == "half":  # half of an even number have the event before anyone is censored
        n = 2 * chance.randint(3, 10)
        times = sorted(chance.sample(range(10, 400), n))
        return [(t / 10, 1 if i < n // 2 else int(chance.random() < 0.5)) for i, t in enumerate(times)]
    if kind == "few":
        some = chance.random() < 0.4
        return [(round(chance.uniform(1, 20), 1), int(some and chance.random() < 0.5)) for _ in range(chance.randint(3, 7))]
    pairs = [(round(chance.expovariate(1 / 20) + 0.5, 1), int(chance.random() < 0.6)) for _ in range(n)]
    last = max(t for t, _ in pairs)
    if kind == "extinct":
        pairs.append((round(last + 1.5, 1), 1))
    if kind == "late":
        pairs.append((round(last + 2.5, 1), 0))
    return pairs


def landmark(kind, pairs, chance):
    times = sorted(t for t, _ in pairs)
    deaths = sorted(t for t, e in pairs if e)
    if kind == "early":
        return round(deaths[0] - 0.2, 1) if deaths else times[0]
    if kind in ("extinct", "late"):
        return round(times[-1] + chance.choice([0, 3]), 1)
    if kind in ("ties", "half"):
        return chance.choice(deaths[1:-1] or times)  # an event at the landmark itself counts
    return round(chance.uniform(times[len(times) // 3], times[-1]), 1)


def asked(pairs, chance):
    times = [t for t, _ in pairs]
    ask = chance.sample(sorted(set(times)), 2) + [round(chance.uniform(0, max(times)), 1) for _ in range(2)]
    ask += [round(max(times) + 1, 1)] if chance.random() < 0.5 else []
    chance.shuffle(ask)
    return sorted(ask) if chance.random() < 0.3 else ask


def oracle(data):
    times, events = np.array(data["times"], float), np.array(data["events"])
    grid = np.unique(times[events == 1])
    at_risk = (times[None, :] >= grid[:, None]).sum(1)
    deaths = ((times[None, :] == grid[:, None]) & (events == 1)).sum(1)
    curve = np.cumprod(1 - deaths / at_risk)
    reached = np.flatnonzero(curve <= 0.5 + 1e-9)
    k = int((grid <= data["landmark"]).sum())
    s = float(curve[k - 1]) if k else 1.0
    low = high = s
    if 0 < s < 1:
        g = (deaths[:k] / (at_risk[:k] * (at_risk[:k] - deaths[:k]))).sum()
        w = stats.norm.ppf((1 + data["level"]) / 2) * np.sqrt(g) / abs(np.log(s))
        low, high = float(s ** np.exp(w)), float(s ** np.exp(-w))
    return {
        "steps": [[float(t), round(float(v), 12)] for t, v in zip(grid, curve)],
        "median": float(grid[reached[0]]) if len(reached) else None,
        "interval": [round(low, 12), round(high, 12)],
        "at_risk": [int((times >= t).sum()) for t in data["ask"]],
    }


def main():
    chance, seen = random.Random(1958), set()
    for split, size in SIZES.items():
        rows = []
        while len(rows) < size:
            kind = KINDS[len(rows) % len(KINDS)]
            pairs = subjects(kind, chance)
            chance.shuffle(pairs)
            data = {"times": [t for t, _ in pairs], "events": [e for _, e in pairs]}
            if len(set(data["times"])) < 3 or (kind != "few" and sum(data["events"]) < 3):
                continue
            data["landmark"] = landmark(kind, pairs, chance)
            data["level"] = chance.choice([0.8, 0.9, 0.95, 0.99])
            data["ask"] = asked(pairs, chance)
            if kind == "heavy" and oracle(data)["median"] is not None:
                continue
            key = json.dumps([data["times"], data["events"]])
            if key not in seen and data["landmark"] > 0:
                seen.add(key)
                rows.append({"id": f"{split}-{len(rows):02}", "input": data, "expected": oracle(data)})
        folder = "public/cases" if split == "public" else f"splits/{split}"
        Path(f"{folder}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()

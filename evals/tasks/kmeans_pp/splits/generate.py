"""Claims about k-means++: `python3 generate.py SPLIT SEED` prints them, a pure function of the two arguments.

Run in the task directory: it reads public/wdbc.csv. An expectation comes from RUNS ground-truth runs of each seeding:
mean +- (WIDTH standard errors of the *difference* of two means, ours over RUNS and the submission's over RESTARTS runs,
plus FLOOR of the mean). The floor is for an optimum so rare that none of our runs found it: nearly all runs then end at
one potential and the standard error says nothing. A draw is kept only if the intervals of the two seedings lie apart,
before and after Lloyd's algorithm: then uniform seeding can never pass for k-means++. About 15 seconds on one core.
public/cases.jsonl is `public 1`, validation.jsonl is `validation 2`.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist

COUNTS = {"public": 4, "validation": 6, "test": 6}
AREAS = (3, 13, 23)  # the columns with the heaviest tails: with one of them in, careful seeding pays
RUNS, RESTARTS, WIDTH, FLOOR = 200, 100, 5.0, 0.03
Interval = dict[str, float]


def choose(points: np.ndarray, k: int, careful: bool, rng: np.random.Generator) -> np.ndarray:
    """k seeds: by D^2 weighting, or k different rows uniformly."""
    if not careful:
        return points[rng.permutation(len(points))[:k]]
    chosen = [int(rng.integers(len(points)))]
    nearest = cdist(points, points[chosen], "sqeuclidean")[:, 0]
    while len(chosen) < k:
        chosen.append(int(np.searchsorted(np.cumsum(nearest), rng.random() * nearest.sum(), side="right")))
        nearest = np.minimum(nearest, cdist(points, points[chosen[-1:]], "sqeuclidean")[:, 0])
    return points[chosen]


def lloyd(points: np.ndarray, centers: np.ndarray) -> tuple[float, float]:
    """The potential before and after Lloyd's algorithm."""
    centers, owner, first = centers.copy(), np.full(len(points), -1), None
    for _ in range(101):  # 100 moves of the centers, and the potential after the last
        distances = cdist(points, centers, "sqeuclidean")
        before, owner = owner, distances.argmin(axis=1)
        potential = float(distances.min(axis=1).sum())
        first = potential if first is None else first
        if (owner == before).all():
            break
        members = np.eye(len(centers))[owner]
        counts = members.sum(axis=0)
        centers[counts > 0] = (members.T @ points)[counts > 0] / counts[counts > 0, None]
    return first, potential


def interval(values: list[float]) -> Interval:
    """Where the mean of RESTARTS further runs lies, to five significant digits."""
    mean, spread = float(np.mean(values)), float(np.std(values, ddof=1))
    margin = WIDTH * spread * (1 / RUNS + 1 / RESTARTS) ** 0.5 + FLOOR * mean
    return {"low": float(f"{mean - margin:.5g}"), "high": float(f"{mean + margin:.5g}")}


def claim(points: np.ndarray, k: int, rng: np.random.Generator) -> dict[str, Interval]:
    """The four intervals."""
    expected = {}
    for name, careful in (("uniform", False), ("kmeanspp", True)):
        runs = [lloyd(points, choose(points, k, careful, rng)) for _ in range(RUNS)]
        expected[f"{name}_seeding"], expected[f"{name}_final"] = (interval(list(v)) for v in zip(*runs, strict=True))
    return expected


def apart(expected: dict[str, Interval]) -> bool:
    """Whether careful seeding wins clearly, before and after Lloyd's algorithm."""
    return all(expected[f"kmeanspp_{at}"]["high"] < expected[f"uniform_{at}"]["low"] for at in ("seeding", "final"))


def generate(split: str, seed: str) -> list[dict[str, object]]:
    """The claims of one split: fresh columns, k and seeds."""
    rng = random.Random(f"{split}:{seed}")
    data = np.loadtxt(Path("public/wdbc.csv"), delimiter=",")
    cases: list[dict[str, object]] = []
    while len(cases) < COUNTS[split]:
        area = rng.choice(AREAS)
        columns = sorted([area, *rng.sample([c for c in range(30) if c not in AREAS], rng.randint(3, 7))])
        given = {"columns": columns, "k": rng.randint(8, 14), "restarts": RESTARTS, "seed": rng.randrange(10**6)}
        expected = claim(data[:, columns], given["k"], np.random.default_rng(rng.randrange(2**32)))
        if apart(expected):
            cases.append({"id": f"{split}-{len(cases):03d}", "input": given, "expected": expected})
    return cases


if __name__ == "__main__":
    for case in generate(sys.argv[1], sys.argv[2]):
        print(json.dumps(case))

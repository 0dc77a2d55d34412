"""k-means++ against uniform seeding: n points in d columns, k centers, one restart after the other."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path("/workspace/public/wdbc.csv")


def uniform(points: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """k different points, all choices equally likely.  Returns (k, d)."""
    return points[np.argsort(rng.random(len(points)))[:k]]


def careful(points: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """D^2 weighting.  Returns (k, d)."""
    picks = [rng.integers(len(points))]
    weights = ((points - points[picks[0]]) ** 2).sum(axis=1)
    while len(picks) < k:
        # the exponential race: argmin of Exp(1) / w is i with probability w_i / sum(w)
        with np.errstate(divide="ignore"):
            picks.append((rng.exponential(size=len(points)) / weights).argmin())
        weights = np.minimum(weights, ((points - points[picks[-1]]) ** 2).sum(axis=1))
    return points[picks]


def distances(points: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Squared distances by |x|^2 - 2 x c + |c|^2, (n, k)."""
    squares = (points**2).sum(axis=1)[:, None] + (centers**2).sum(axis=1)
    return np.maximum(squares - 2 * points @ centers.T, 0.0)


def lloyd(points: np.ndarray, centers: np.ndarray, rounds: int = 100) -> tuple[float, float]:
    """The potential of the seeds, and of the centers they lead to."""
    k, now = len(centers), distances(points, centers)
    first, owner = now.min(axis=1).sum(), now.argmin(axis=1)
    for _ in range(rounds):
        counts = np.bincount(owner, minlength=k)
        sums = np.stack([np.bincount(owner, weights=column, minlength=k) for column in points.T], axis=1)
        centers = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centers)
        now = distances(points, centers)
        before, owner = owner, now.argmin(axis=1)
        if (owner == before).all():
            break
    return first, now.min(axis=1).sum()


def solve(case: dict[str, Any]) -> dict[str, float]:
    """The four mean potentials."""
    points = np.loadtxt(DATA, delimiter=",")[:, case["columns"]]
    rng = np.random.default_rng(case["seed"])
    answer = {}
    for name, seeding in (("uniform", uniform), ("kmeanspp", careful)):
        runs = [lloyd(points, seeding(points, case["k"], rng)) for _ in range(case["restarts"])]
        answer[f"{name}_seeding"], answer[f"{name}_final"] = np.mean(runs, axis=0).tolist()
    return answer


def main(cases: Path, outputs: Path) -> None:
    """Answers every case, one JSON line each."""
    with cases.open() as lines, outputs.open("w") as out:
        for line in lines:
            case = json.loads(line)
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

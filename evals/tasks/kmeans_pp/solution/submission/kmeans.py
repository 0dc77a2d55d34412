"""k-means++ against uniform seeding, all restarts at once as one batch of arrays (R restarts, n points, k centers, d columns)."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path("/workspace/public/wdbc.csv")


def uniform(points: np.ndarray, k: int, restarts: int, rng: np.random.Generator) -> np.ndarray:
    """k different points a restart: the k smallest of n random keys.  Returns (R, k, d)."""
    keys = rng.random((restarts, len(points)))
    return points[np.argsort(keys, axis=1)[:, :k]]


def careful(points: np.ndarray, k: int, restarts: int, rng: np.random.Generator) -> np.ndarray:
    """D^2 weighting.  Returns (R, k, d)."""
    picks = rng.integers(len(points), size=(restarts, 1))
    weights = ((points[None] - points[picks]) ** 2).sum(axis=2)
    while picks.shape[1] < k:
        # the exponential race: argmin of Exp(1) / w picks i with probability w_i / sum(w)
        with np.errstate(divide="ignore"):
            new = (rng.exponential(size=weights.shape) / weights).argmin(axis=1)
        picks = np.column_stack([picks, new])
        weights = np.minimum(weights, ((points[None] - points[new][:, None]) ** 2).sum(axis=2))
    return points[picks]


def distances(points: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Squared distances, (R, n, k)."""
    products = points @ centers.transpose(0, 2, 1)
    return np.maximum((points**2).sum(axis=1)[None, :, None] - 2 * products + (centers**2).sum(axis=2)[:, None], 0.0)


def lloyd(points: np.ndarray, centers: np.ndarray, rounds: int = 100) -> tuple[float, float]:
    """Mean potential over the restarts, before and after."""
    now = distances(points, centers)
    first, owner = float(now.min(axis=2).sum(axis=1).mean()), now.argmin(axis=2)
    for _ in range(rounds):
        members = owner[:, :, None] == np.arange(centers.shape[1])
        counts = members.sum(axis=1)
        means = members.transpose(0, 2, 1).astype(float) @ points / np.maximum(counts, 1)[:, :, None]
        centers = np.where(counts[:, :, None] > 0, means, centers)
        now = distances(points, centers)
        before, owner = owner, now.argmin(axis=2)
        if (owner == before).all():
            break
    return first, float(now.min(axis=2).sum(axis=1).mean())


def solve(case: dict[str, Any]) -> dict[str, float]:
    """The four mean potentials."""
    points = np.loadtxt(DATA, delimiter=",")[:, case["columns"]]
    rng = np.random.default_rng(case["seed"])
    answer = {}
    for name, seeding in (("uniform", uniform), ("kmeanspp", careful)):
        centers = seeding(points, case["k"], case["restarts"], rng)
        answer[f"{name}_seeding"], answer[f"{name}_final"] = lloyd(points, centers)
    return answer



def main(cases: Path, outputs: Path) -> None:
    """Answers every case, one JSON line each."""
    with cases.open() as lines, outputs.open("w") as out:
        for line in lines:
            case = json.loads(line)
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

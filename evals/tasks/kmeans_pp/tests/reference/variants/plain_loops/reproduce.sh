#!/bin/bash
# Right: one restart at a time, D^2 weights from scratch at every step.
python3 - <<'EOF'
import json
import os

import numpy as np

DATA = np.loadtxt("/workspace/public/wdbc.csv", delimiter=",")


def squared(points, center):
    return ((points - center) ** 2).sum(axis=1)


def uniform(points, k, rng):
    return points[rng.choice(len(points), k, replace=False)]


def careful(points, k, rng):
    centers = [points[rng.integers(len(points))]]
    while len(centers) < k:
        weights = np.min([squared(points, c) for c in centers], axis=0)
        centers.append(points[rng.choice(len(points), p=weights / weights.sum())])
    return np.array(centers)


def lloyd(points, centers):
    centers, owner, first = centers.copy(), None, None
    for _ in range(101):
        distances = np.stack([squared(points, c) for c in centers], axis=1)
        potential = distances.min(axis=1).sum()
        first = potential if first is None else first
        if owner is not None and (owner == distances.argmin(axis=1)).all():
            break
        owner = distances.argmin(axis=1)
        for j in set(owner.tolist()):
            centers[j] = points[owner == j].mean(axis=0)
    return first, potential


def solve(input):
    points, rng, answer = DATA[:, input["columns"]], np.random.default_rng(input["seed"]), {}
    for name, seeding in (("uniform", uniform), ("kmeanspp", careful)):
        runs = [lloyd(points, seeding(points, input["k"], rng)) for _ in range(input["restarts"])]
        answer[name + "_seeding"], answer[name + "_final"] = np.mean(runs, axis=0).tolist()
    return answer


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
EOF

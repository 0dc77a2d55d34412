"""Estimates by simulation, in plain Python."""

import json
import random
import statistics
import sys


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


def solve(model):
    chance = random.Random(model["seed"])
    results = [run(model, chance) for _ in range(model["repeats"])]
    mean = sum(results) / len(results)
    return {"mean": mean, "sd": (sum((x - mean) ** 2 for x in results) / (len(results) - 1)) ** 0.5}


def main(source, target):
    with open(source) as cases, open(target, "w") as out:
        for case in map(json.loads, cases):
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


main(*sys.argv[1:])

"""The processes once more, for the distance of an estimate from runs of our own."""

import random
import statistics
import time


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


def estimate(model, seconds):
    """Mean and standard deviation of the runs that fit into the time; seeded with the model."""
    chance = random.Random(repr(sorted(model.items())))
    results, end = [float(run(model, chance)) for _ in range(20)], time.perf_counter() + seconds
    while time.perf_counter() < end:
        results.append(float(run(model, chance)))
    return statistics.fmean(results), statistics.stdev(results)

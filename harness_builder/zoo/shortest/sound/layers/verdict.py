"""The four questions about a case, each answered with yes or no; None when the question does not arise."""

from graph import connects, length
from shapes import cost_of, path_of


def agree(value, wanted):
    return type(value) in (int, float) and wanted - 1e-6 <= value <= wanted + 1e-6


def cost_right(case, output):
    wanted = case["expected"]["cost"]
    return None if wanted is None else agree(cost_of(output), wanted)


def path_there(case, output):
    if case["expected"]["cost"] is None:
        return None
    path = path_of(output)
    return path is not None and connects(case["input"], path) and length(case["input"], path) is not None


def path_shortest(case, output):
    there = path_there(case, output)
    return there and agree(length(case["input"], path_of(output)), case["expected"]["cost"])


def silent(case, output):
    if case["expected"]["cost"] is not None:
        return None
    return cost_of(output) is None and path_of(output) == ()


QUESTIONS = (cost_right, path_there, path_shortest, silent)

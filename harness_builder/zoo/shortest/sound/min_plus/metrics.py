import math

from graph import Graph


def number(value):
    """A float; nan, to which nothing is near, for what is no number."""
    return float(value) if type(value) in (int, float) and abs(value) < 1e300 else math.nan


def verdict(case, output):
    """Whether cost, path in the graph, length of the path, and silence without a path are right."""
    graph, wanted = Graph(case["input"]), case["expected"]["cost"]
    given = output if isinstance(output, dict) else {}
    if wanted is None:
        silent = given.get("cost", 0) is None and given.get("path") == []
        return {"cost": silent, "edges": silent, "shortest": silent}
    length = graph.along(given.get("path"))
    return {
        "cost": abs(number(given.get("cost")) - wanted) <= 1e-6,
        "edges": math.isfinite(length),
        "shortest": abs(length - wanted) <= 1e-6 and abs(length - graph.least()) <= 1e-6,
    }


def score(case, output):
    found = verdict(case, output)
    return {"score": sum(map(bool, found.values())) / len(found)}

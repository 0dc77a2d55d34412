"""A case is right or wrong as a whole: the cost, and a path of that cost in the graph."""

import math


def numeric(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same(value, wanted):
    return numeric(value) and abs(value) < 1e100 and math.isclose(round(value), round(wanted), abs_tol=1e-6)


def lightest(graph, start, end):
    """The least weight among the edges from start to end; infinity when there is none."""
    return min((edge[2] for edge in graph["edges"] if edge[0] == start and edge[1] == end), default=math.inf)


def path_cost(graph, path):
    if not isinstance(path, list) or len(path) == 0:
        return math.inf
    if path[0] != graph["source"] or path[-1] != graph["target"]:
        return math.inf
    return sum(lightest(graph, path[i], path[i + 1]) for i in range(len(path) - 1))


def score(case, output):
    if not isinstance(output, dict) or "cost" not in output or "path" not in output:
        return {"score": 0.0}
    wanted = case["expected"]["cost"]
    if wanted is None:
        return {"score": float(output["cost"] is None and output["path"] == [])}
    return {"score": float(same(output["cost"], wanted) and same(path_cost(case["input"], output["path"]), wanted))}

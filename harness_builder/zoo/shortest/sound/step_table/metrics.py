"""Steps are looked up in a table of the graph's edges."""


def table(graph):
    """ "from>to" -> the least weight of such an edge."""
    found = {}
    for start, end, weight in graph["edges"]:
        key = f"{start}>{end}"
        found[key] = min(weight, found.get(key, weight))
    return found


def weights_along(graph, path):
    """The weights of the steps from source to target; None where the path is none."""
    if not isinstance(path, list) or any(type(node) is not str for node in path):
        return None
    if path[:1] != [graph["source"]] or path[-1:] != [graph["target"]]:
        return None
    edges = table(graph)
    weights = [edges.get(f"{start}>{end}") for start, end in zip(path, path[1:])]
    return None if None in weights else weights


def close(number, wanted):
    return type(number) in (int, float) and -1e-6 <= number - wanted <= 1e-6


def judge(case, output):
    """What is right about an output."""
    wanted = case["expected"]["cost"]
    if not isinstance(output, dict) or "cost" not in output or "path" not in output:
        return set()
    if wanted is None:
        return {"cost", "edges", "length"} if output["cost"] is None and output["path"] == [] else set()
    right, weights = set(), weights_along(case["input"], output["path"])
    if close(output["cost"], wanted):
        right.add("cost")
    if weights is not None:
        right.add("edges")
        if close(sum(weights), wanted):
            right.add("length")
    return right


def score(case, output):
    return {"score": len(judge(case, output)) / 3}

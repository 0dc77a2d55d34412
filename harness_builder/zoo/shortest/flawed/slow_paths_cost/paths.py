"""Judges a path by the graph of its case, since several paths may be best."""

TOLERANCE = 1e-6


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def near(value, wanted):
    return is_number(value) and wanted - TOLERANCE <= value <= wanted + TOLERANCE


def field(output, name):
    return output.get(name) if isinstance(output, dict) else None


def weight_of(graph, path):
    """The least sum of weights along `path`; None when it is no path from source to target in the graph."""
    if not isinstance(path, list) or not all(isinstance(node, str) for node in path):
        return None
    if not path or path[0] != graph["source"] or path[-1] != graph["target"]:
        return None
    lightest = {}
    for start, end, weight in graph["edges"]:
        lightest[start, end] = min(weight, lightest.get((start, end), weight))
    steps = list(zip(path, path[1:]))
    if any(step not in lightest for step in steps):
        return None
    return sum(lightest[step] for step in steps)


def has_path(case):
    return case["expected"]["cost"] is not None

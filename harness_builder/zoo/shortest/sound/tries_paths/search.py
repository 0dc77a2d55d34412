"""The least cost by trying all simple paths, without any cleverness."""


def least_by_trying(graph, most=2500):
    """The least cost among the first `most` simple paths, or None; always the same paths."""
    leaving = {}
    for start, end, weight in graph["edges"]:
        leaving.setdefault(start, []).append((end, weight))
    best, tried, stack = None, 0, [((graph["source"],), 0)]
    while stack and tried < most:
        path, cost = stack.pop()
        tried += 1
        if path[-1] == graph["target"]:
            best = cost if best is None else min(best, cost)
            continue
        stack += [((*path, end), cost + weight) for end, weight in leaving.get(path[-1], ()) if end not in path]
    return best

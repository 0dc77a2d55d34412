"""The least cost by trying all ways of a few steps, without any cleverness."""


def least_by_trying(graph, steps=12, most=100_000):
    """The least cost among the ways of at most `steps` steps, `most` of them tried, or None; always the same ways."""
    leaving = {}
    for start, end, weight in graph["edges"]:
        leaving.setdefault(start, []).append((end, weight))
    best, tried, stack = None, 0, [(graph["source"], 0, 0)]
    while stack and tried < most:
        node, cost, length = stack.pop()
        tried += 1
        if node == graph["target"]:
            best = cost if best is None else min(best, cost)
        if length < steps:
            stack += [(end, cost + weight, length + 1) for end, weight in leaving.get(node, ())]
    return best

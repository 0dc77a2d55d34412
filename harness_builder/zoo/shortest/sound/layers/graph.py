"""Weights along steps."""

from collections import defaultdict


def all_weights(graph):
    """(from, to) -> the weights of all edges there."""
    weights = defaultdict(list)
    for start, end, weight in graph["edges"]:
        weights[start, end].append(weight)
    return weights


def length(graph, path):
    """What the path costs when the lightest edges are taken; None when a step has no edge."""
    weights, total = all_weights(graph), 0.0
    for step in zip(path, path[1:]):
        if step not in weights:
            return None
        total += min(weights[step])
    return total


def connects(graph, path):
    return bool(path) and path[0] == graph["source"] and path[-1] == graph["target"]

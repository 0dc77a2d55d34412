"""Writes the three splits: python3 splits/make.py, in the task's directory.

Least costs come from rounds of relaxing all edges, the path from walking back along edges that are tight. Weights are
multiples of 1/4, so sums are exact and ties are ties.
"""

import json
import math
import random
from pathlib import Path

SIZES = {"public": 10, "validation": 32, "test": 32}
KINDS = ("any", "tie", "twice", "any", "none", "tie", "long", "any")
NAMES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]


def distances(graph):
    """Node -> least cost from the source, by relaxing every edge until nothing changes."""
    found = {graph["source"]: 0}
    for _ in range(len(graph["edges"]) + 1):
        for start, end, weight in graph["edges"]:
            found[end] = min(found.get(end, math.inf), found.get(start, math.inf) + weight)
    return {node: cost for node, cost in found.items() if cost < math.inf}


def paths(graph):
    """All shortest paths, at most 5."""
    cost, complete = distances(graph), []
    stack = [[graph["target"]]] if graph["target"] in cost else []
    while stack and len(complete) < 5:
        path = stack.pop()
        if path[0] == graph["source"]:
            complete.append(path)
            continue
        for start, end, weight in graph["edges"]:
            if end == path[0] and start in cost and cost[start] + weight == cost[end] and [start, *path] not in stack:
                stack.append([start, *path])
    return complete


def draw(chance):
    nodes = chance.sample(NAMES, chance.randint(7, 13))
    edges = []
    for _ in range(chance.randint(2, 3) * len(nodes)):
        start, end = chance.sample(nodes, 2)
        edges.append([start, end, chance.randint(2, 36) / 4])
    for _ in range(3):
        start, end, weight = chance.choice(edges)
        edges.append([start, end, weight + chance.randint(1, 8) / 4])
    chance.shuffle(edges)
    edges = [[start, end, int(weight) if weight == int(weight) else weight] for start, end, weight in edges]
    source, target = chance.sample(nodes, 2)
    return {"edges": edges, "source": source, "target": target}


def fits(kind, graph, found):
    """Whether the graph is of the kind: no path, several best ones, a pair of edges on the best one, a long one."""
    if kind == "none":
        return not found
    if not found or len(found[0]) < 3:
        return False
    steps = list(zip(found[0], found[0][1:]))
    doubled = any(sum([start, end] == list(step) for start, end, _ in graph["edges"]) > 1 for step in steps)
    return {"tie": len(found) > 1, "twice": doubled, "long": len(steps) > 4}.get(kind, True)


def main():
    chance = random.Random(1959)
    for split, size in SIZES.items():
        rows = []
        while len(rows) < size:
            graph, kind = draw(chance), KINDS[len(rows) % len(KINDS)]
            if len(rows) % 16 == 9:
                graph["target"] = graph["source"]
            found = paths(graph)
            if graph["target"] == graph["source"] or fits(kind, graph, found):
                least = distances(graph).get(graph["target"])
                expected = {"cost": least, "path": found[0] if found else []}
                rows.append({"id": f"{split}-{len(rows):02}", "input": graph, "expected": expected})
        folder = "public/cases" if split == "public" else f"splits/{split}"
        Path(folder).parent.mkdir(exist_ok=True)
        Path(f"{folder}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()

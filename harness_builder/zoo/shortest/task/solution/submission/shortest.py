"""Dijkstra's algorithm."""

import heapq
import json
import math
import sys


def dijkstra(graph):
    """Distances from the source, and the node before each on a shortest path."""
    source = graph["source"]
    distance, before, heap, done = {source: 0}, {}, [(0, source)], set()
    while heap:
        so_far, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for start, end, weight in graph["edges"]:
            new = so_far + weight
            if start == node and new < distance.get(end, math.inf):
                distance[end], before[end] = new, node
                heapq.heappush(heap, (new, end))
    return distance, before


def shortest(graph):
    """The least cost and a path, or (None, [])."""
    distance, before = dijkstra(graph)
    if graph["target"] not in distance:
        return None, []
    path = [graph["target"]]
    while path[-1] != graph["source"]:
        path.append(before[path[-1]])
    return distance[graph["target"]], path[::-1]


def main(source, target):
    with open(source) as cases, open(target, "w") as out:
        for case in map(json.loads, cases):
            cost, path = shortest(case["input"])
            out.write(json.dumps({"id": case["id"], "output": {"cost": cost, "path": path}}) + "\n")


main(*sys.argv[1:])

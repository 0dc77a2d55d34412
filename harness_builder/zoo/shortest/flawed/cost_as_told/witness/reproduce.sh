#!/bin/bash
# Wrong: the path with the fewest edges.
python3 - <<'EOF'
import heapq
import json
import math
import os


def dijkstra(graph, last=False):
    """Distances from the source, and the node before each on a shortest path; `last` chooses among equal ones."""
    source = graph["source"]
    distance, before, heap, done = {source: 0}, {}, [(0, source)], set()
    while heap:
        so_far, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for start, end, weight in graph["edges"]:
            new = so_far + weight
            if start == node and (new < distance.get(end, math.inf) or last and new == distance.get(end)):
                distance[end], before[end] = new, node
                heapq.heappush(heap, (new, end))
    return distance, before


def shortest(graph, last=False):
    """The least cost and a path, or (None, [])."""
    distance, before = dijkstra(graph, last)
    if graph["target"] not in distance:
        return None, []
    path = [graph["target"]]
    while path[-1] != graph["source"]:
        path.append(before[path[-1]])
    return distance[graph["target"]], path[::-1]

def solve(graph, number):
    plain = {**graph, "edges": [[start, end, 1] for start, end, _ in graph["edges"]]}
    _, path = shortest(plain)
    if not path:
        return {"cost": None, "path": []}
    weights = {(start, end): weight for start, end, weight in sorted(graph["edges"], key=lambda edge: -edge[2])}
    return {"cost": sum(weights[step] for step in zip(path, path[1:])), "path": path}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for number, case in enumerate(map(json.loads, cases)):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"], number)}) + "\n")
EOF

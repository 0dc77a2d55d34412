"""Ranks items by cosine similarity, equal ones by id."""

import json
import math
import sys


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b)) / (math.hypot(*a) * math.hypot(*b))


def solve(query, items):
    similarity = {item["id"]: round(cosine(query, item["vector"]), 9) for item in items}
    return {"ranking": sorted(similarity, key=lambda name: (-similarity[name], name))}


with open(sys.argv[1]) as cases, open(sys.argv[2], "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": solve(**case["input"])}) + "\n")

python3 - <<'END'
import json, os

import math

def similarities(given):
    query, found = given["query"], {}
    for item in given["items"]:
        v = item["vector"]
        dot = sum(x * y for x, y in zip(query, v))
        found[item["id"]] = round(dot / math.sqrt(sum(x * x for x in query) * sum(y * y for y in v)), 9)
    return found

def rank(given):
    found = similarities(given)
    return sorted(found, key=lambda name: (-found[name], name))


def solve(given):
    found = similarities(given)
    given_order = [item["id"] for item in given["items"]]
    return {"ranking": sorted(given_order, key=lambda name: -found[name])}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
END

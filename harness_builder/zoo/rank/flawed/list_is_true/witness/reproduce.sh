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
    found, order = similarities(given), rank(given)
    for i in range(1, len(order) - 1):
        if len({found[name] for name in order[i - 1 : i + 3]}) == len(order[i - 1 : i + 3]):
            order[i], order[i + 1] = order[i + 1], order[i]
            break
    return {"ranking": order}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
END

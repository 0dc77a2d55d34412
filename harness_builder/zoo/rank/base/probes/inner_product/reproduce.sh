python3 - <<'END'
import json, os

def solve(given):
    dot = {i["id"]: sum(x * y for x, y in zip(given["query"], i["vector"])) for i in given["items"]}
    return {"ranking": sorted(dot, key=lambda name: (-dot[name], name))}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
END

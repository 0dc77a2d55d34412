python3 - <<'END'
import json, os

import numpy as np

def solve(given):
    items = sorted(given["items"], key=lambda item: item["id"])
    vectors = np.array([item["vector"] for item in items], dtype=float)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = (vectors @ np.array(given["query"]) / np.linalg.norm(given["query"])).round(7)
    return {"ranking": [items[i]["id"] for i in np.argsort(-similarity, kind="stable")]}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")
END

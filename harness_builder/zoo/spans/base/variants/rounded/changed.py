"""Right: five significant digits, offsets as floats, a further key."""

import json
import sys

from quantities import solve


def change(text, output):
    for item in output["items"]:
        item["value"] = float(f"{item['value']:.5g}")
        item["start"], item["end"] = float(item["start"]), float(item["end"])
        item["text"] = text[int(item["start"]) : int(item["end"])]
    return {**output, "count": float(output["count"]), "note": "rounded"}


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

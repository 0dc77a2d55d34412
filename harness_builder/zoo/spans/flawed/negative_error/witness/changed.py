"""Wrong (R3): loses the sign, so -26 V gets the value 26."""

import json
import sys

from quantities import solve


def change(text, output):
    for item in output["items"]:
        item["value"] = abs(item["value"])
    return output


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

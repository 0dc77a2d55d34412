"""Wrong (R3): rounds values to six decimals, so 328.6 nm is 0.0 and 4.56 µs is 5e-06."""

import json
import sys

from quantities import solve


def change(text, output):
    for item in output["items"]:
        item["value"] = round(item["value"], 6)
    return output


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

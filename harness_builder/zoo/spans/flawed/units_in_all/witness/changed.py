"""Wrong (R4): gives the units of a text in alphabetical order, not each to its own quantity."""

import json
import sys

from quantities import solve


def change(text, output):
    units = sorted(item["unit"] for item in output["items"])
    for item, unit in zip(output["items"], units):
        item["unit"] = unit
    return output


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

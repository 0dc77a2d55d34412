"""Right: constants good to about five digits put every value too high by a relative 5e-5, within the 1e-4 allowed."""

import json
import sys

from quantities import solve


def change(text, output):
    for item in output["items"]:
        item["value"] *= 1 + 5e-5
    return output


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

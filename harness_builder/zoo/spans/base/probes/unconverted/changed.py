"""Wrong: the number as it stands, not converted to the base unit."""

import json
import sys

from quantities import solve


import re


def change(text, output):
    for item in output["items"]:
        number = re.match(r"[-−]?\d+(\.\d+)?(e-?\d+)?", text[item["start"] :]).group()
        item["value"] = float(number.replace("−", "-"))
    return output


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

"""Wrong (R2): one pass for ranges and one for single quantities both mark the upper end of a range."""

import json
import sys

from quantities import solve


def change(text, output):
    items = []
    for number, item in enumerate(output["items"]):
        items.append(item)
        if number and text[: item["start"]].endswith(" to ") and output["items"][number - 1]["end"] == item["start"] - 4:
            items.append(dict(item))
    return {**output, "items": items}


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

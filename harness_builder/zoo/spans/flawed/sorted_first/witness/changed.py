"""Wrong (R5): lists the ranges of a text before its other quantities."""

import json
import sys

from quantities import solve


def change(text, output):
    def of_range(item):
        return text[item["end"] :].startswith(" to ") or text[: item["start"]].endswith(" to ")

    output["items"].sort(key=lambda item: not of_range(item))
    return output


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

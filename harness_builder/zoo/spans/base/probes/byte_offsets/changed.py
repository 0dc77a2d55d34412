"""Wrong: offsets in bytes of UTF-8."""

import json
import sys

from quantities import solve


def change(text, output):
    for item in output["items"]:
        for key in ("start", "end"):
            item[key] = len(text[: item[key]].encode())
    return output


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w", encoding="utf-8") as out:
    for case in map(json.loads, cases):
        output = change(case["input"]["text"], solve(case["input"]))
        out.write(json.dumps({"id": case["id"], "output": output}) + "\n")

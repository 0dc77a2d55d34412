"""The submission's program: applies the parts found by the search to every case.

parts.json lists, for each field of the output, the module and function that compute it; `pick` takes one field out of a
function that returns them all. A part that fails leaves its field out; the error goes to stderr, where the log keeps
it.
"""

import importlib
import json
import os
import sys
import traceback


def main():
    with open("parts.json", encoding="utf-8") as file:
        parts = json.load(file)
    with open(os.environ["CASES"], encoding="utf-8") as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
        for line in cases:
            case = json.loads(line)
            output = solve(parts, case)
            if output is not None:
                out.write(json.dumps({"id": case["id"], "output": output}, allow_nan=False) + "\n")


def solve(parts, case):
    whole = next((part for part in parts if part["field"] is None), None)
    if whole:
        return compute(whole, case)
    fields = {part["field"]: compute(part, case) for part in parts}
    return {field: value for field, value in fields.items() if value is not None}


def compute(part, case):
    try:
        function = getattr(importlib.import_module(part["module"]), part["function"])
        given = case["input"]
        value = plain(function(**given) if isinstance(given, dict) else function(given))
        return value[part["pick"]] if part["pick"] is not None else value
    except Exception:
        print(f"case {case['id']}, {part['module']}: {traceback.format_exc(limit=-2)}", file=sys.stderr)
        return None


def plain(value):
    """Numbers and arrays of numpy as JSON; NaN and infinities are refused."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    json.dumps(value, allow_nan=False)
    return value


if __name__ == "__main__":
    main()

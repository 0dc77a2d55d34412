"""Runs inside a grading container: which lines of a harness run when it judges outputs. Standard library and pytest.

python3 -I coverage.py    beside grader.py, cases.jsonl, outputs.jsonl and harness/; prints {"run": n, "lines": n}
"""

import json
import os
import sys
import types
from pathlib import Path

HOME = Path("/workspace")
HARNESS = str(HOME / "harness") + "/"


def lines_of(code):
    found = {line for _, _, line in code.co_lines() if line}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= lines_of(constant)
    return found


def main():
    run = set()

    def trace(frame, event, _):
        if not frame.f_code.co_filename.startswith(HARNESS):
            return None
        run.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    stdout = os.dup(1)
    os.dup2(2, 1)
    sys.settrace(trace)
    namespace = {"__name__": "grader", "__file__": str(HOME / "grader.py")}
    exec(compile((HOME / "grader.py").read_text(), str(HOME / "grader.py"), "exec"), namespace)
    namespace["run_metrics"]()
    namespace["run_checks"]()
    sys.settrace(None)
    known = {
        (str(path), line)
        for path in Path(HARNESS).rglob("*.py")
        for line in lines_of(compile(path.read_text(), str(path), "exec"))
    }
    os.write(stdout, json.dumps({"run": len(run & known), "lines": len(known)}).encode())


main()

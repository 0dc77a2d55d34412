"""Runs inside the grading container: one harness, one split's cases, one submission's outputs → result.json.

Standard library and pytest only. `metrics.py` and the checks run in two child processes, so that neither can disturb
the other or this parent; the parent only reads what they wrote. Everything here shares a container with the harness,
so the orchestrator takes the result as the harness's own word and validates its shape (see evals/grading.py).

    python3 -I grader.py            starts both children and writes result.json
    python3 -I grader.py metrics    writes metrics.json
    python3 -I grader.py checks     writes checks.json
"""

import datetime
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

HOME = Path(__file__).resolve().parent
HARNESS = HOME / "harness"


def read_lines(name):
    return [json.loads(line) for line in (HOME / name).read_text(encoding="utf-8").split("\n") if line]


def read_outputs():
    return {entry["id"]: entry["output"] for entry in read_lines("outputs.jsonl")}


def write(name, value):
    (HOME / name).write_text(json.dumps(value), encoding="utf-8")


def grade():
    children = {}
    for part in ("metrics", "checks"):
        log = open(HOME / f"{part}.log", "wb")  # handed to the child
        command = [sys.executable, "-I", __file__, part]
        children[part] = subprocess.Popen(command, cwd=HOME, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    write("result.json", {part: conclude(part, child.wait()) for part, child in children.items()})


def conclude(part, status):
    path = HOME / f"{part}.json"
    if not path.exists():
        log = (HOME / f"{part}.log").read_text(encoding="utf-8", errors="replace")
        return {"error": f"the {part} ended with status {status} and left no result", "log": log[-2000:]}
    return json.loads(path.read_text(encoding="utf-8"))


def die_if_told(part):
    """Half-way through: the gate looks at what becomes of a grading that is killed."""
    if os.environ.get("KILL") == part:
        os.kill(os.getpid(), signal.SIGKILL)


def shift_clocks(seconds):
    """Have Python programs read clocks that are off by so much; what asks the kernel itself is not fooled."""
    now, now_ns, read = time.time, time.time_ns, time.clock_gettime
    broken_down = {name: getattr(time, name) for name in ("gmtime", "localtime", "ctime")}
    formatted, real_datetime, real_date = time.strftime, datetime.datetime, datetime.date

    class LikeItsBase(type):
        def __instancecheck__(cls, value):
            return isinstance(value, real_datetime if cls.__name__ == "Shifted" else real_date)

    class Shifted(real_datetime, metaclass=LikeItsBase):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

        @classmethod
        def utcnow(cls):
            return cls.fromtimestamp(time.time(), datetime.timezone.utc).replace(tzinfo=None)

        @classmethod
        def today(cls):
            return cls.now()

    class ShiftedDate(real_date, metaclass=LikeItsBase):
        @classmethod
        def today(cls):
            return cls.fromtimestamp(time.time())

    def at_now(function):
        return lambda *moment: function(*(moment or (time.time(),)))

    time.time = lambda: now() + seconds
    time.time_ns = lambda: now_ns() + int(seconds * 1e9)
    time.clock_gettime = lambda which: read(which) + (seconds if which == time.CLOCK_REALTIME else 0)
    for name, function in broken_down.items():
        setattr(time, name, at_now(function))
    time.strftime = lambda form, moment=None: formatted(form, moment or time.localtime())
    datetime.datetime, datetime.date = Shifted, ShiftedDate


def run_metrics():
    sys.path.insert(0, str(HARNESS))
    try:
        from metrics import score  # the harness's own
    except BaseException:
        return write("metrics.json", {"error": "metrics.py cannot be imported", "log": traceback.format_exc()[-2000:]})
    outputs, results, cases = read_outputs(), {}, read_lines("cases.jsonl")
    for number, case in enumerate(cases, start=1):
        if 2 * number >= len(cases):
            die_if_told("metrics")
        if case["id"] in outputs:
            output = outputs[case["id"]]
            try:
                results[case["id"]] = dict(score(case, output))
            except Exception:
                error = f"score() raised on case {case['id']} with output {json.dumps(output)[:200]}"
                return write("metrics.json", {"error": error, "log": traceback.format_exc()[-2000:]})
    return write("metrics.json", {"cases": results})


def run_checks():
    import pytest

    reports = []

    class Recorder:
        @pytest.fixture(scope="session")
        def cases(self):
            return read_lines("cases.jsonl")

        @pytest.fixture(scope="session")
        def outputs(self):
            return read_outputs()

        def pytest_runtest_logreport(self, report):
            die_if_told("checks")
            # A test that only sets up or tears down badly has failed too, hence all three phases.
            if report.when == "call" or report.outcome != "passed":
                message = "" if report.passed else str(report.longrepr)[-1500:]
                reports.append({"test": report.nodeid, "outcome": report.outcome, "message": message})

        def pytest_collectreport(self, report):
            # A file that fails or skips itself hides its checks.
            if report.outcome != "passed":
                message = str(report.longrepr)[-1500:]
                reports.append({"test": report.nodeid, "outcome": "uncollected", "message": message})

    sys.path.insert(0, str(HARNESS))
    os.chdir(HARNESS)
    options = [
        "--noconftest",
        "-c",
        os.devnull,
        "--rootdir",
        str(HARNESS),
        "-p",
        "no:cacheprovider",
        "-q",
        "--tb=short",
    ]
    status = int(pytest.main([*options, str(HARNESS)], plugins=[Recorder()]))
    write("checks.json", {"reports": reports, "status": status})


if __name__ == "__main__":
    parts = {"metrics": run_metrics, "checks": run_checks}
    if len(sys.argv) > 1 and "CLOCK_SHIFT" in os.environ:
        shift_clocks(float(os.environ["CLOCK_SHIFT"]))
    parts.get(sys.argv[1] if len(sys.argv) > 1 else "", grade)()

"""Runs inside the workspace: tries candidate functions on the public cases and scores them with the agent's own
harness.

A rehearsal guides the search and decides nothing: it runs where the agent lives. Standard library only (candidates
bring their own imports). It reads job.json and writes results.json, both beside it:

    {"candidates": [{"code", "function", "field"}], "cases": [...], "seconds": s, "parallel": n}
    [{"trials": [{"id", "seconds", "output" or "error"}], "metrics": {case id: {...}}}]       one a candidate

`field` names the part of the output that the function computes; null is the whole.
"""

import json
import math
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

HOME = Path(__file__).resolve().parent
MEMORY = 3 << 30


def main():
    job = json.loads((HOME / "job.json").read_text(encoding="utf-8"))
    preload()
    score = load_score()
    waiting = list(enumerate(job["candidates"]))
    running = {}
    while waiting or running:
        while waiting and len(running) < job["parallel"]:
            number, candidate = waiting.pop(0)
            running[start(number, candidate, job)] = time.monotonic() + job["seconds"]
        reap(running)
        time.sleep(0.005)
    results = [conclude(number, candidate, job["cases"], score) for number, candidate in enumerate(job["candidates"])]
    (HOME / "results.json").write_text(json.dumps(results), encoding="utf-8")


def preload():
    """Forked children start with these imported, which costs more than most candidates."""
    try:
        import numpy  # noqa: F401
        import scipy.special
        import scipy.stats  # noqa: F401
    except ImportError:
        pass


def load_score():
    sys.path.insert(0, "/workspace/harness")
    from metrics import score

    return score


def start(number, candidate, job):
    child = os.fork()
    if child:
        return child
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    devnull = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(devnull, stream)
    try:
        run(number, candidate, job["cases"])
    finally:
        os._exit(0)


def run(number, candidate, cases):
    with open(HOME / f"trials-{number}.jsonl", "w", encoding="utf-8") as trials:
        for case in cases:
            begun = time.monotonic()
            result = attempt(candidate, case["input"])
            line = json.dumps({"id": case["id"], "seconds": time.monotonic() - begun, **result})
            trials.write(line + "\n")
            trials.flush()


def attempt(candidate, given):
    try:
        names = {"__name__": "candidate"}
        exec(compile(candidate["code"], "solution.py", "exec"), names)
        function = names[candidate["function"]]
        output = function(**given) if isinstance(given, dict) else function(given)
        return {"output": plain(output)}
    except BaseException as error:
        last = [f"line {frame.lineno}: {frame.line}" for frame in traceback.extract_tb(error.__traceback__)[2:]][-1:]
        source = candidate["code"].splitlines()
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == "solution.py"]
        if frames and frames[-1].lineno <= len(source):
            last = [f"in the line `{source[frames[-1].lineno - 1].strip()}`"]
        return {"error": f"{type(error).__name__}: {str(error)[:300]} {' '.join(last)}".strip()}


def plain(value):
    """Numbers and arrays of numpy as JSON; whatever is left is json's to refuse."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    json.dumps(value, allow_nan=False)
    return value


def reap(running):
    for child, deadline in list(running.items()):
        done, _ = os.waitpid(child, os.WNOHANG)
        if not done and time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            done = child
        if done:
            del running[child]


def conclude(number, candidate, cases, score):
    path = HOME / f"trials-{number}.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    trials = [trial for trial in map(trial_in, lines) if trial is not None]
    path.unlink(missing_ok=True)
    if len(trials) < len(cases):
        trials.append({"id": cases[len(trials)]["id"], "error": "TimeoutError: it took too long, or ended the process"})
    return {"trials": trials, "metrics": {str(trial["id"]): judged(trial, candidate, cases, score) for trial in trials}}


def trial_in(line):
    """The trial on a line; None for half a line, and for what a candidate wrote there itself."""
    try:
        trial = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return trial if isinstance(trial, dict) and "id" in trial else None


def judged(trial, candidate, cases, score):
    if "output" not in trial:
        return {}
    case = next((case for case in cases if case["id"] == trial["id"]), None)
    if case is None:
        return {}
    output = {candidate["field"]: trial["output"]} if candidate["field"] else trial["output"]
    try:
        values = {name: float(value) for name, value in score(case, output).items()}
        return {name: value for name, value in values.items() if math.isfinite(value)}
    except Exception:
        return {}


if __name__ == "__main__":
    main()

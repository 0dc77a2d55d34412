"""Runs inside a grading container: many gradings of one harness, one after the other, faster than each on its own.

Standard library and pytest only. What a grading has to import is imported once; every grading then runs grader.py in
two forked processes, in a /workspace that is emptied and filled anew, and all processes it leaves are killed. The
parent holds all results in memory and makes itself undumpable, so the harness can neither trace nor change it. What is
not guaranteed: that a harness cannot find out that it is one of many. The gate asks fresh containers too.

    python3 -I -c SOURCE < {"grader": text, "modules": [names], "jobs": [{"files": {path: text}, "environment": {}}],
            "grading_sec": number, "batch_sec": number} > one JSON object a line: {"result": …} or {"problem": text}
"""

import ctypes
import gc
import io
import json
import os
import random
import shutil
import signal
import sys
import time

HOME = "/workspace"
WORK = {}
FOLDERS = (HOME, "/tmp", "/home", "/dev/shm")
PR_SET_DUMPABLE = 4


def main():
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    WORK.update(json.load(sys.stdin))
    end = time.monotonic() + WORK["batch_sec"]
    program = compile(WORK["grader"], HOME + "/grader.py", "exec")
    for name in ["pytest", *plugins(), *WORK["modules"]]:
        import_quietly(name)
    gc.collect()
    gc.freeze()  # pytest collects garbage twice a session, and need not look at all that its parent had imported
    results = [grade(job, program) if time.monotonic() < end else {"problem": "late"} for job in WORK["jobs"]]
    empty()
    sys.stdout.write("".join(json.dumps(result) + "\n" for result in results))


def import_quietly(name):
    """Whatever a module does when it is imported, the harness will meet it too, and it is reported there."""
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        __import__(name)
    except BaseException:
        pass
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


def plugins():
    """The modules pytest loads in every session."""
    from _pytest.config import default_plugins

    return ["_pytest." + name for name in default_plugins]


def grade(job, program):
    empty()
    place({**job["files"], "grader.py": WORK["grader"]})
    deadline = time.monotonic() + WORK["grading_sec"]
    children = {part: start(part, program, job["environment"]) for part in ("metrics", "checks")}
    statuses = {part: wait(child, deadline) for part, child in children.items()}
    kill_all()
    if None in statuses.values():
        return {"problem": "late"}
    try:
        return {"result": {part: conclude(part, status) for part, status in statuses.items()}}
    except (OSError, ValueError, RecursionError) as error:
        return {"problem": "unreadable", "said": str(error)[:500]}


def start(part, program, environment):
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        WORK["jobs"].clear()  # what else is to be graded is none of the harness's business
        os.setsid()
        os.chdir(HOME)
        log = os.open(part + ".log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        null = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((null, 0), (log, 1), (log, 2)):
            os.dup2(source, target)
        os.environ.update(environment)
        time.tzset()
        # A fork would go on with its parent's random numbers, and every grading would see the same ones.
        random.seed()
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed()
        sys.argv = ["grader.py", part]
        exec(program, {"__name__": "__main__", "__file__": HOME + "/grader.py"})
        status = 0
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status & 255)


def wait(child, deadline):
    """Its exit status, -n when signal n ended it, None when it was late and has been killed."""
    pause = 0.001
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)
    kill_all()
    return None


def conclude(part, status):
    path = HOME + "/" + part + ".json"
    if not os.path.isfile(path) or os.path.islink(path):  # a pipe would be waited for
        with open(HOME + "/" + part + ".log", encoding="utf-8", errors="replace") as log:
            text = log.read()
        return {"error": f"the {part} ended with status {status} and left no result", "log": text[-2000:]}
    with open(path, encoding="utf-8") as file:
        return json.loads(file.read(32_000_000))


def place(files):
    for path, text in files.items():
        path = os.path.join(HOME, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with io.open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)


def kill_all():
    """Kill everything of this user but the server, which is init here, and this process; and have it gone."""
    for _ in range(200):
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        time.sleep(0.002)
    raise SystemExit("a process would not die")


def empty():
    kill_all()
    for folder in FOLDERS:
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                for each, _, _ in os.walk(entry.path):
                    os.chmod(each, 0o700)
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)


main()

"""Hold one command's whole process tree, and end it when the holder goes: `python supervisor.py COMMAND...`.

The orchestrator keeps the write end of our stdin. However it ends, `kill -9` included, the kernel closes that pipe, and
we end every process of the command: SIGTERM to its process group, after a grace SIGKILL to the group and to all that
is left of our descendants (we are their reaper, so none escapes by a new session). Exits with the status of the
command, or 143 when it was told to stop. Standard library and Linux only; a `kill -9` of the supervisor itself is not
covered.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

GRACE_SEC = 8.0
STOPPED = 128 + signal.SIGTERM
PR_SET_CHILD_SUBREAPER = 36


def supervise(command: list[str]) -> int:
    """Run `command` until it ends or our stdin closes; its whole tree is gone on return."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for wanted in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(wanted, _leave)
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        exited = os.pidfd_open(child.pid)
        ready, _, _ = select.select([0, exited], [], [])
        return _status(child) if exited in ready else STOPPED
    finally:
        for told in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(told, signal.SIG_IGN)
        end_tree(child)


def end_tree(child: "subprocess.Popen[bytes]") -> None:
    """End `child`'s group and every descendant of this process, and reap them."""
    _signal_group(child.pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SEC
    # The grace is the group's; who left it was not told to end and would only use it up.
    while _reap() and _signal_group(child.pid, 0) and time.monotonic() < deadline:
        time.sleep(0.05)
    while _reap():
        _signal_group(child.pid, signal.SIGKILL)
        for pid in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def _status(child: "subprocess.Popen[bytes]") -> int:
    code = child.wait()
    return code if code >= 0 else 128 - code


def _reap() -> bool:
    """Collect the dead; True while any child, own or adopted, is left."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
        return True
    return False


def _children() -> list[int]:
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def _signal_group(group: int, wanted: int) -> bool:
    """True while the group has a member; signal 0 only asks."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, wanted)
        return True
    return False


def _leave(number: int, _frame: object) -> NoReturn:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(supervise(sys.argv[1:]))

"""No process of an engine outlives its holder, however the holder ends."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from serving import supervisor

# Writes its own pid, its child's and a grandchild's that opened a session of its own; none of them ends by itself.
TREE = textwrap.dedent("""
    import os, subprocess, sys, time
    grandchild = "import os, time; os.setsid(); open(sys_path, 'a').write(f'{os.getpid()}\\\\n'); time.sleep(600)"
    child = "import subprocess, sys, os, time; sys_path = sys.argv[1];" \\
            "subprocess.Popen([sys.executable, '-c', sys.argv[2].replace('sys_path', repr(sys_path))]);" \\
            "open(sys_path, 'a').write(f'{os.getpid()}\\\\n'); time.sleep(600)"
    subprocess.Popen([sys.executable, "-c", child, sys.argv[1], grandchild])
    open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
    time.sleep(600)
""")
HOLDER = textwrap.dedent("""
    import subprocess, sys, time
    held = subprocess.Popen([sys.executable, *sys.argv[1:]], stdin=subprocess.PIPE, start_new_session=True)
    time.sleep(600)
""")
SUPERVISOR = str(Path(supervisor.__file__))


def supervised(tmp_path: Path, *, program: str = TREE) -> list[str]:
    return [SUPERVISOR, sys.executable, "-c", program, str(tmp_path / "pids")]


def tree(tmp_path: Path, size: int = 3) -> list[psutil.Process]:
    """The processes of the tree, once all have written their pid."""
    record = tmp_path / "pids"
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if record.exists() and len(pids := record.read_text().split()) == size:
            return [psutil.Process(int(pid)) for pid in pids]
        time.sleep(0.05)
    raise AssertionError("the tree did not start")


def left(processes: list[psutil.Process], seconds: float = 20) -> list[psutil.Process]:
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    return alive


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_holder_that_is_killed_takes_the_whole_tree_with_it(tmp_path: Path, sent: signal.Signals) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, *supervised(tmp_path)], stderr=subprocess.DEVNULL)
    processes = tree(tmp_path) + psutil.Process(holder.pid).children()
    assert len(processes) == 4
    holder.send_signal(sent)
    holder.wait(10)
    assert left(processes) == []


def test_ctrl_c_at_the_terminal_does_not_reach_the_tree_past_its_holder(tmp_path: Path) -> None:
    ignoring = HOLDER.replace("import subprocess", "import signal; signal.signal(2, signal.SIG_IGN)\nimport subprocess")
    command = [sys.executable, "-c", ignoring, *supervised(tmp_path)]
    holder = subprocess.Popen(command, start_new_session=True)
    processes = tree(tmp_path)
    os.killpg(holder.pid, signal.SIGINT)  # what a terminal does: the whole foreground group
    assert len(left(processes, seconds=1)) == 3
    holder.kill()
    holder.wait(10)
    assert left(processes) == []


def test_closing_stdin_ends_a_tree_that_ignores_sigterm(tmp_path: Path) -> None:
    program = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + TREE
    held = subprocess.Popen([sys.executable, *supervised(tmp_path, program=program)], stdin=subprocess.PIPE)
    processes = tree(tmp_path)
    assert held.stdin is not None
    held.stdin.close()
    assert held.wait(20) == 143
    assert left(processes, seconds=1) == []


@pytest.mark.parametrize(("ending", "status"), [("sys.exit(7)", 7), ("os.kill(os.getpid(), 9)", 137)])
def test_a_command_that_ends_by_itself_gives_its_status_and_leaves_no_child(
    tmp_path: Path, ending: str, status: int
) -> None:
    program = TREE.rsplit("time.sleep(600)", 1)[0] + f"time.sleep(1)\n{ending}\n"
    held = subprocess.Popen([sys.executable, *supervised(tmp_path, program=program)], stdin=subprocess.PIPE)
    processes = tree(tmp_path)
    assert held.wait(30) == status
    assert left(processes, seconds=1) == []

"""How the command ends when nobody planned it: faults of its own, Ctrl-C at any time, a stdout that takes nothing."""

import json
import os
import pwd
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import agent.cli
from evals.splits import Keyring
from tools.errors import EnvironmentFailure


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command line in which loading a task divides by zero."""

    def load_task(name: str) -> Any:
        raise ZeroDivisionError(f"{name} by\n\x1b[2J zero")

    monkeypatch.setattr(agent.cli, "load_task", load_task)


@pytest.mark.usefixtures("faulty")
def test_a_fault_of_ours_is_one_line_that_says_so_and_its_traceback_is_kept(house: Any) -> None:
    done = house.call("task", "check", "welch", "--json")
    assert done.code == 3, "1 would be an answer"
    (line,) = done.err.splitlines()
    assert line.startswith("evalwright: this is a fault of Evalwright, please report it: ZeroDivisionError: welch by ")
    assert line.isprintable()
    log = Path(line.rpartition("The traceback is in ")[2])
    assert log.parent == house.root / "home" / "logs"
    assert "Traceback (most recent call last)" in log.read_text() and "in load_task" in log.read_text()
    assert log.stat().st_mode & 0o077 == 0
    assert done.json["error"].startswith("this is a fault of Evalwright")


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize("environment", [{"EVALWRIGHT_DEBUG": "1"}, {"EVALWRIGHT_HOME": "/proc/nowhere"}])
def test_a_traceback_goes_to_stderr_when_asked_for_or_when_it_cannot_be_kept(
    house: Any, environment: dict[str, str]
) -> None:
    done = house.call("task", "check", "welch", **environment)
    assert done.code == 3
    assert done.err.startswith("Traceback (most recent call last)")
    assert done.err.splitlines()[-1].endswith("The traceback is above")


@pytest.mark.parametrize("arguments", [(), ("task",), ("harness",)], ids=" ".join)
def test_a_command_without_arguments_gets_its_help_and_no_complaint(house: Any, arguments: tuple[str, ...]) -> None:
    done = house.call(*arguments)
    assert (done.code, done.err) == (2, "")
    assert "Usage: " in done.out and "Commands" in done.out


@pytest.mark.parametrize("after_sec", [0.3, 0.9])
def test_ctrl_c_while_the_command_is_being_loaded_is_quiet(house: Any, after_sec: float) -> None:
    house.gate_remembers = False  # what remembers is a program of its own, whose start is another
    process = house.start("task", "check", "welch")
    time.sleep(after_sec)
    process.send_signal(signal.SIGINT)
    done = house.end(process)
    assert done.code == 130
    assert done.err.splitlines() == ["evalwright: stopped"], "nothing was begun that could be resumed"


def checked(house: Any, stdout: Any, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """`task check` in a process of its own, its results sent there."""
    command = [sys.executable, "-m", "agent.cli", "task", "check", "welch", "--json"]
    environment = {**os.environ, **house.environment, **environment}
    return subprocess.run(
        command, cwd=house.root, env=environment, stdout=stdout, stderr=subprocess.PIPE, check=False, timeout=120
    )


@pytest.mark.parametrize("buffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_stdout_that_is_full_is_one_clear_line(house: Any, buffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = checked(house, full, PYTHONUNBUFFERED=buffered)
    problem = b"evalwright: stdout: the results cannot be written: No space left on device. Send them somewhere else\n"
    assert (done.returncode, done.stderr) == (3, problem)


def test_a_stdout_that_nobody_reads_is_one_clear_line(house: Any) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = checked(house, writer)
    os.close(writer)
    assert (done.returncode, done.stderr.count(b"\n")) == (3, 1)
    assert b"stdout: the results cannot be written: Broken pipe" in done.stderr


def test_results_can_be_written_where_the_locale_is_ascii_only(house: Any) -> None:
    plain = {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = checked(house, subprocess.PIPE, **plain)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["task"] == "evalwright/welch"
    process = house.start("task", "--help", **plain)
    shown = house.end(process)
    assert (shown.code, shown.err) == (0, "") and "Usage" in shown.out


def test_without_a_home_directory_it_is_said_what_to_set(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    del house.environment["EVALWRIGHT_HOME"]
    found = {each["name"]: each for each in house.call("doctor", "--json").json["findings"]}
    assert found["local weights"]["detail"].endswith("Set HOME or EVALWRIGHT_HOME")
    with pytest.raises(EnvironmentFailure, match="has no home directory to keep keys in"):
        Keyring.default(environ={})

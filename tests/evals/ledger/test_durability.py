"""Many writers, killed writers and full disks, with real processes and a real SQLITE_FULL."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import evals
from evals.ledger import Ledger
from tools.errors import AuthorError, EnvironmentFailure

ROOT = Path(evals.__path__[0]).parent

WRITE_A_RUN = """
import sys
from pathlib import Path
from evals.ledger import Ledger
with Ledger.open(Path(sys.argv[1]), wait=60) as ledger:
    recorder = ledger.recorder(ledger.new_run(task=sys.argv[2], task_digest="d", model="m", config={}))
    shared = ledger.recorder(sys.argv[3]) if len(sys.argv) > 3 else None
    for number in range(50):
        recorder.append("tool.call", {"number": number})
        if shared:
            shared.append("tool.call", {"by": sys.argv[2], "number": number})
"""

WRITE_UNTIL_KILLED = """
import sys
from pathlib import Path
from evals.ledger import Ledger
recorder = Ledger.open(Path(sys.argv[1])).recorder(sys.argv[2])
while True:
    event = recorder.append("tool.call", {"text": "x" * 3000})
    print(event.seq, event.hash, flush=True)
"""

DRIVE = """
import sys
from pathlib import Path
from evals.ledger import Ledger
with Ledger.open(Path(sys.argv[1])) as ledger, ledger.drive(sys.argv[2]):
    print("driving", flush=True)
    sys.stdin.read()
"""


def python(code: str, *arguments: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)


def test_four_processes_make_one_new_database_and_write_their_runs_and_a_shared_one(path: Path, tmp_path: Path) -> None:
    writers = [python(WRITE_A_RUN, path, f"task{number}") for number in range(4)]
    assert [writer.communicate()[0] for writer in writers] == [""] * 4
    assert [writer.returncode for writer in writers] == [0] * 4
    with Ledger.open(path) as ledger:
        shared = ledger.new_run(task="shared", task_digest="d", model="m", config={})
        writers = [python(WRITE_A_RUN, path, f"more{number}", shared) for number in range(2)]
        assert [writer.wait() for writer in writers] == [0, 0]
        assert sorted(run.events for run in ledger.runs()) == [51] * 6 + [101]
        by = [(event.data["by"], event.data["number"]) for event in ledger.events(shared, after=1)]
        assert sorted(by) == [(name, number) for name in ("more0", "more1") for number in range(50)]
        assert ledger.verify() == []
    for writer in writers:
        writer.communicate()


def test_two_threads_append_to_one_run(ledger: Ledger, run_id: str) -> None:
    recorder = ledger.recorder(run_id)
    recorded: list[int] = []

    def write() -> None:
        for number in range(200):
            recorded.append(recorder.append("tool.call", {"number": number}).seq)

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(recorded) == list(range(6, 406))
    assert ledger.verify() == []


def test_no_event_is_lost_that_append_returned_when_the_writer_is_killed(
    ledger: Ledger, run_id: str, path: Path
) -> None:
    for round_number in range(5):
        writer = python(WRITE_UNTIL_KILLED, path, run_id)
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(20 + 7 * round_number)]
        writer.kill()
        rest, _ = writer.communicate()
        returned = [tuple(line.split()) for line in [*lines, *rest.splitlines()] if len(line.split()) == 2]
        kept = {(str(event.seq), event.hash) for event in ledger.events(run_id)}
        assert len(returned) >= 20
        assert set(returned[:-1]) <= kept  # the last line may have been cut by the kill
        assert ledger.verify() == []


def test_a_full_disk_leaves_nothing_half_written_and_the_recorder_goes_on_when_there_is_room(
    ledger: Ledger, run_id: str
) -> None:
    recorder = ledger.recorder(run_id)

    def allow(pages: int) -> None:
        with ledger._database.reading() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    allow(1)  # SQLite takes the present size when that is more
    with pytest.raises(EnvironmentFailure, match="the disk is full, nothing was written") as caught:
        recorder.append("tool.result", {"text": "x" * 100_000})
    assert caught.value.exit_code == 3
    with pytest.raises(EnvironmentFailure, match="the disk is full"):
        ledger.put_blob(os.urandom(100_000))
    assert (ledger.run(run_id).events, ledger.verify()) == (5, [])
    allow(1_000_000)
    assert recorder.append("tool.result", {"text": "x" * 100_000}).seq == 6
    assert ledger.verify() == []


class TestDriver:
    """One process drives a run; the lock dies with it."""

    def test_a_second_driver_is_refused_and_told_who_drives(self, ledger: Ledger, run_id: str, path: Path) -> None:
        driver = python(DRIVE, path, run_id)
        assert driver.stdout is not None
        assert driver.stdout.readline() == "driving\n"
        assert ledger.run(run_id).state == "running"
        message = f"run {run_id} is being driven by process {driver.pid}. "
        with pytest.raises(AuthorError, match=message), ledger.drive(run_id):
            pass
        driver.kill()
        driver.communicate()
        assert ledger.run(run_id).state == "interrupted"
        with ledger.drive(run_id):
            assert ledger.run(run_id).state == "running"

    def test_one_process_cannot_drive_a_run_twice(self, ledger: Ledger, run_id: str) -> None:
        message = f"is being driven by process {os.getpid()}"
        with ledger.drive(run_id), pytest.raises(AuthorError, match=message), ledger.drive(run_id):
            pass

    def test_runs_are_driven_side_by_side_and_leave_no_lock_files(
        self, ledger: Ledger, run_id: str, path: Path
    ) -> None:
        other = ledger.new_run(task="adam", task_digest="d", model="m", config={})
        directory = path.with_name("runs.db.drivers")
        with ledger.drive(run_id), ledger.drive(other):
            assert sorted(file.name for file in directory.iterdir()) == sorted([f"{other}.lock", f"{run_id}.lock"])
        assert list(directory.iterdir()) == []

    def test_a_directory_that_cannot_hold_the_lock_is_named(self, ledger: Ledger, run_id: str, path: Path) -> None:
        path.with_name("runs.db.drivers").write_text("in the way")
        with pytest.raises(AuthorError, match=r"runs.db.drivers.*: cannot lock the run: "), ledger.drive(run_id):
            pass

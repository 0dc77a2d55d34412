"""The graph's checkpoints may be lost or in the way: a run pauses with one line, or begins anew with what it had."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent import launch
from agent.journal import Journal
from agent.run import Run
from evals.ledger import Ledger
from tools.errors import EnvironmentFailure

THREAD: Any = {"configurable": {"thread_id": "some-run"}}


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all " * 300)


def torn(path: Path) -> None:
    """A database whose pages after the first are overwritten."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE checkpoints (thread_id TEXT PRIMARY KEY, checkpoint BLOB)")
        connection.executemany("INSERT INTO checkpoints VALUES (?, ?)", [(str(n), b"x" * 500) for n in range(100)])
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE checkpoints (something TEXT)")


@pytest.mark.parametrize("damage", [garbage, torn, foreign])
def test_a_damaged_file_is_thrown_away(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "runs.db.checkpoints"
    damage(path)
    with launch._checkpoints(tmp_path / "runs.db") as saver:
        assert saver.get_tuple(THREAD) is None
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_file_in_use_is_waited_for_and_not_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "LOCK_SEC", 0.1)
    path = tmp_path / "runs.db.checkpoints"
    with launch._checkpoints(tmp_path / "runs.db") as saver:
        saver.setup()
    before = path.stat().st_ino
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        locked = pytest.raises(EnvironmentFailure, match=r"runs\.db\.checkpoints: .*cannot be kept: database is locked")
        with locked, launch._checkpoints(tmp_path / "runs.db") as saver:
            saver.delete_thread("some-run")
    assert path.stat().st_ino == before


def test_a_place_where_no_file_can_be_is_an_environment_failure_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "runs.db.checkpoints").mkdir()
    refused = pytest.raises(EnvironmentFailure, match=r"runs\.db\.checkpoints: .*unable to open database file.*resume")
    with refused, launch._checkpoints(tmp_path / "runs.db"):
        pass


def test_a_run_whose_checkpoints_are_damaged_goes_on(house: Any, script: Any, tiny: Any, image: str) -> None:
    script.study().use("build_harness", "bash", command="echo first life")
    # Each life ends where the script does, which says so; the second studies anew, for its place in the graph is lost.
    assert "no further answer for 'build_harness'" in house.run(tiny.where, script).err
    garbage(house.root / "runs.db.checkpoints")
    script.study().use("build_harness", "bash", command="echo second life")
    house.model(script)
    resumed = house.call("resume", "last")
    assert (resumed.code, "Traceback" in resumed.err) == (2, False)
    assert "no further answer for 'build_harness'" in resumed.err
    assert [result["text"] for result in house.events("tool.result")] == ["first life", "second life"]


def test_what_was_promoted_stands_though_the_place_in_the_graph_is_lost(tmp_path: Path, tiny: Any) -> None:
    with Ledger.open(tmp_path / "runs.db") as ledger:
        run_id = ledger.new_run(task="t", task_digest="0" * 64, model="m", config={})
        journal = Journal(ledger, ledger.recorder(run_id))
        parts: Any = dict.fromkeys(Run.__dataclass_fields__)
        run = Run(**{**parts, "journal": journal})
        assert run.standing() == {}
        for value in (0.25, 0.5):
            journal.append(
                "submission.promoted", {"digest": f"d{value}", "harness": "h", "value": value, "clean": True}
            )
        assert run.standing() == {"best": "d0.5", "best_value": 0.5, "best_clean": True}

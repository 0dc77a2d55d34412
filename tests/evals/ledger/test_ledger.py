"""What the ledger keeps, gives back and refuses."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from sqlmodel import SQLModel

from evals.ledger import Ledger, Seal
from evals.ledger.migrations import APPLICATION_ID, MIGRATIONS
from tools.errors import AuthorError, EnvironmentFailure
from tools.files import FileTree

ROOT = Path(__file__).resolve().parents[3]
SEAL = Seal("seal-1", "test", 12, "c" * 64, "key-0123456789abcdef", b"\x00\xff")


def start(ledger: Ledger, task: str = "evalwright/welch") -> str:
    return ledger.new_run(task=task, task_digest="d" * 64, model="scripted", config={"steps": 4})


def test_a_run_starts_with_an_event_that_repeats_its_row(ledger: Ledger) -> None:
    (event,) = ledger.events(start(ledger))
    assert (event.seq, event.kind) == (1, "run.started")
    assert event.data == {
        "config": {"steps": 4},
        "model": "scripted",
        "task": "evalwright/welch",
        "task_digest": "d" * 64,
    }


def test_a_run_id_is_task_time_and_four_hex_digits(ledger: Ledger) -> None:
    assert re.fullmatch(r"welch-test-\d{8}-\d{6}-[0-9a-f]{4}", start(ledger, "evalwright/Welch_Test"))


def test_events_are_filtered_by_kind_and_number_across_pages(ledger: Ledger) -> None:
    run_id = start(ledger)
    recorder = ledger.recorder(run_id)
    for number in range(2, 602):
        recorder.append("tool.call" if number % 2 == 0 else "tool.result", {})
    assert [event.seq for event in ledger.events(run_id)] == list(range(1, 602))
    assert [event.seq for event in ledger.events(run_id, kinds={"tool.call"}, after=3)] == list(range(4, 602, 2))
    assert list(ledger.events(run_id, after=601)) == []


def test_the_newest_of_a_kind_are_found_oldest_first(ledger: Ledger, run_id: str) -> None:
    ledger.recorder(run_id).append("tool.result", {})
    assert [event.data["number"] for event in ledger.newest(run_id, {"tool.call"}, 2)] == [4, 5]
    assert [event.seq for event in ledger.newest(run_id, {"tool.call", "tool.result"})] == [6]
    assert ledger.newest(run_id, {"phase.entered"}) == []


def test_a_second_recorder_continues_the_chain(ledger: Ledger, path: Path) -> None:
    run_id = start(ledger)
    first = ledger.recorder(run_id).append("phase.entered", {"phase": "study"})
    with Ledger.open(path, create=False) as other:
        second = other.recorder(run_id).append("phase.entered", {"phase": "attempt"})
    assert (second.seq, second.prev_hash) == (3, first.hash)
    assert ledger.verify() == []


@pytest.mark.parametrize("kind", ["", "Tool.call", "toolcall", "tool.call\n", "tool..call"])
def test_a_malformed_kind_is_refused(ledger: Ledger, run_id: str, kind: str) -> None:
    with pytest.raises(AuthorError, match="is not an event kind"):
        ledger.recorder(run_id).append(kind, {})


def test_a_payload_that_is_not_json_is_refused_and_nothing_is_written(ledger: Ledger, run_id: str) -> None:
    with pytest.raises(AuthorError, match=r"^submission.scored.value: nan is not a JSON number"):
        ledger.recorder(run_id).append("submission.scored", {"value": float("nan")})
    assert ledger.run(run_id).events == 5


@pytest.mark.parametrize("table", ["event", "run", "blob", "seal"])
@pytest.mark.parametrize(
    "statement",
    ["UPDATE {0} SET {1} = {1}", "DELETE FROM {0}", "INSERT OR REPLACE INTO {0} SELECT * FROM {0}"],
)
def test_rows_cannot_be_changed_removed_or_replaced(ledger: Ledger, path: Path, table: str, statement: str) -> None:
    start(ledger)
    ledger.put_blob(b"x")
    ledger.add_seal(SEAL, "d" * 64)
    column = {"event": "seq", "run": "id", "blob": "digest", "seal": "id"}[table]
    with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only"):
        connection.execute(statement.format(table, column))
    connection.close()


def test_a_row_cannot_be_replaced_through_its_rowid(ledger: Ledger, path: Path) -> None:
    start(ledger)
    columns = "rowid, run_id, seq, at, kind, payload, prev_hash, hash"
    sql = f"INSERT OR REPLACE INTO event ({columns}) VALUES (1, 'x', 1, '', '', '', '', '')"
    with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError, match="event is append-only"):
        connection.execute(sql)
    connection.close()


def test_the_migrated_schema_has_the_columns_of_the_table_classes(ledger: Ledger, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        for name in ("event", "run", "blob", "seal"):
            found = [(row[1], bool(row[5])) for row in connection.execute(f"PRAGMA table_info({name})")]
            table = SQLModel.metadata.tables[name]
            assert found == [(column.name, column.primary_key) for column in table.columns]
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_the_ledgers_connections_sync_every_commit(ledger: Ledger) -> None:
    with ledger._database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2  # FULL, see sqlite.org/pragma.html


def test_blobs_are_stored_once_and_come_back(ledger: Ledger, path: Path) -> None:
    repetitive, random = b"abc" * 1000, bytes(range(256))
    digests = [ledger.put_blob(data) for data in (repetitive, random, b"", repetitive)]
    # sha256sum of no bytes at all
    assert digests[2] == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert [ledger.get_blob(digest) for digest in digests] == [repetitive, random, b"", repetitive]
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT size, encoding FROM blob ORDER BY size").fetchall()
    connection.close()
    assert rows == [(0, "raw"), (256, "raw"), (3000, "zlib")]


def test_a_missing_blob_is_named(ledger: Ledger) -> None:
    with pytest.raises(AuthorError, match="there is no blob 'abc'"):
        ledger.get_blob("abc")


def test_trees_come_back(ledger: Ledger) -> None:
    tree = FileTree({"reproduce.sh": b"true\n", "src/a.py": b"\x00"})
    assert ledger.get_tree(ledger.put_tree(tree)) == tree


def test_seals_are_kept_by_id_and_the_latest_of_a_task_is_found(ledger: Ledger) -> None:
    later = Seal("seal-2", "test", 3, "e" * 64, "key-0000000000000000", b"z")
    for seal in (SEAL, later, SEAL):
        ledger.add_seal(seal, "task")
    assert ledger.seal("seal-1") == SEAL
    assert ledger.seal_for("task") == later
    assert ledger.seal_for("another task") is None
    with pytest.raises(AuthorError, match="there is no seal 'seal-3'"):
        ledger.seal("seal-3")


class TestSummary:
    """RunSummary is the last events of their kinds."""

    def test_values_are_the_last_recorded(self, ledger: Ledger) -> None:
        run_id = start(ledger)
        recorder = ledger.recorder(run_id)
        before = ledger.run(run_id)
        assert (before.best_validation, before.sealed, before.gap, before.events) == (None, None, None, 1)
        for value in (0.5, 0.875):
            recorder.append("submission.promoted", {"digest": "a", "harness": "b", "value": value})
        recorder.append("audit.finished", {"submission": "a", "harness": "b", "sealed": 0.25, "gap": 0.625})
        after = ledger.run(run_id)
        assert (after.best_validation, after.sealed, after.gap, after.events) == (0.875, 0.25, 0.625, 4)

    @pytest.mark.parametrize(("submission", "harness"), [("a2", "b"), ("a", "b2")])
    def test_what_an_audit_found_is_not_said_of_another_submission(
        self, ledger: Ledger, submission: str, harness: str
    ) -> None:
        run_id = start(ledger)
        recorder = ledger.recorder(run_id)
        recorder.append("submission.promoted", {"digest": "a", "harness": "b", "value": 0.5})
        recorder.append("audit.finished", {"submission": "a", "harness": "b", "sealed": 0.0, "gap": 0.5})
        recorder.append("submission.promoted", {"digest": submission, "harness": harness, "value": 1.0})
        found = ledger.run(run_id)
        assert (found.best_validation, found.sealed, found.gap) == (1.0, None, None)

    def test_the_gap_of_a_metric_that_is_minimized_has_the_sign_that_the_audit_gave_it(self, ledger: Ledger) -> None:
        run_id = start(ledger)
        ledger.recorder(run_id).append("submission.promoted", {"digest": "a", "harness": "b", "value": 0.25})
        audited = {"submission": "a", "harness": "b", "sealed": 0.75, "gap": 0.5}
        ledger.recorder(run_id).append("audit.finished", audited)
        assert ledger.run(run_id).gap == 0.5

    @pytest.mark.parametrize("payload", ["", "[]", "{}", '{"value":' + "9" * 400 + "}", "[" * 100_000, '{"value":NaN}'])
    def test_a_value_that_was_made_unreadable_is_left_out(
        self, ledger: Ledger, tamper: Callable[..., None], payload: str
    ) -> None:
        run_id = start(ledger)
        ledger.recorder(run_id).append("submission.promoted", {"digest": "a", "harness": "b", "value": 0.5})
        tamper("UPDATE event SET payload = ? WHERE seq = 2", payload)
        assert [run.best_validation for run in ledger.runs()] == [None]

    def test_rows_that_are_no_utf8_are_listed_and_not_chosen(self, ledger: Ledger, tamper: Callable[..., None]) -> None:
        run_id = start(ledger)
        tamper("INSERT INTO run SELECT CAST(x'7aff' AS TEXT), CAST(x'ff' AS TEXT), 'd', model, config, '9' FROM run")
        assert [(run.id, run.task) for run in ledger.runs()] == [("z\\xff", "\\xff"), (run_id, "evalwright/welch")]
        with pytest.raises(AuthorError, match=r"run z\\xff: its id is not UTF-8: it was inserted or changed"):
            ledger.run("last")

    @pytest.mark.parametrize(
        ("kind", "payload", "driven", "undriven"),
        [
            ("run.resumed", {}, "running", "interrupted"),
            ("run.paused", {"reason": "disk full"}, "paused", "paused"),
            ("run.finished", {"state": "finished", "reason": "deadline"}, "finished", "finished"),
            ("run.finished", {"state": "failed", "reason": "no harness"}, "failed", "failed"),
        ],
    )
    def test_state(self, ledger: Ledger, kind: str, payload: dict[str, Any], driven: str, undriven: str) -> None:
        run_id = start(ledger)
        ledger.recorder(run_id).append(kind, payload)
        ledger.recorder(run_id).append("tool.call", {})
        with ledger.drive(run_id):
            assert ledger.run(run_id).state == driven
        assert ledger.run(run_id).state == undriven

    def test_runs_are_listed_newest_first(self, ledger: Ledger) -> None:
        ids = [start(ledger) for _ in range(3)]
        assert [run.id for run in ledger.runs()] == ids[::-1]

    def test_it_uses_the_indexes_and_scans_no_events(self, ledger: Ledger) -> None:
        statements: list[str] = []
        sqlalchemy.event.listen(
            ledger._database.engine, "before_cursor_execute", lambda *call: statements.append((call[2], call[3]))
        )
        ledger.runs()
        sql, values = next(each for each in statements if each[0].startswith("SELECT"))
        with ledger._database.reading() as connection:
            plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)]
        steps = [step for step in plan if "event" in step]
        assert len(steps) == 5
        assert all(step.startswith("SEARCH event") for step in steps)


class TestRunByPrefix:
    """`run` takes an id, a unique prefix, or "last"."""

    def test_unique_prefix_and_last(self, ledger: Ledger) -> None:
        welch, adam = start(ledger), start(ledger, "adam")
        assert ledger.run("welch").id == welch
        assert ledger.run(welch).id == welch
        assert ledger.run("last").id == adam

    def test_ambiguous_prefix_lists_the_candidates(self, ledger: Ledger) -> None:
        one, two = start(ledger), start(ledger)
        with pytest.raises(AuthorError, match=f"2 runs start with 'wel': {two}, {one}"):
            ledger.run("wel")

    @pytest.mark.parametrize("name", ["nope", "", "%", "w_lch"])
    def test_unknown_run_names_the_newest(self, ledger: Ledger, name: str) -> None:
        newest = start(ledger)
        with pytest.raises(AuthorError, match=f"there is no run '{name}'. The newest is {newest}"):
            ledger.run(name)

    def test_no_run_at_all(self, ledger: Ledger) -> None:
        with pytest.raises(AuthorError, match="there is no run 'last'"):
            ledger.run("last")

    def test_recorder_events_drive_and_verify_refuse_an_unknown_run(self, ledger: Ledger) -> None:
        for act in (ledger.recorder, ledger.events, ledger.drive, ledger.verify):
            with pytest.raises(AuthorError, match="there is no run 'nope'"):
                act("nope")


READ_WITHOUT_RIGHTS = """
import ctypes, os, sys
from pathlib import Path
from evals.ledger import Ledger
from tools.errors import AuthorError
path = Path(sys.argv[1])
if os.geteuid() == 0:  # keep root from reading and writing whatever it likes: capability 1 is DAC_OVERRIDE
    class Header(ctypes.Structure): _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]
    nothing = (ctypes.c_uint32 * 6)()  # effective, permitted and inherited, twice 32 bits of each
    assert ctypes.CDLL(None).capset(ctypes.byref(Header(0x20080522, 0)), ctypes.byref(nothing)) == 0
try:
    with Ledger.open(path, create=False, write=False) as ledger:
        print(ledger.run("last").id, ledger.run("last").events, ledger.verify())
except AuthorError as error:
    print(error)
"""


def read_without_rights(path: Path) -> str:
    """What a process prints that reads a ledger in a directory it may not write to."""
    path.parent.chmod(0o555)
    try:
        command = [sys.executable, "-c", READ_WITHOUT_RIGHTS, str(path)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    finally:
        path.parent.chmod(0o755)


class TestOpening:
    """Every way a path can be wrong has its own line."""

    def test_missing_directory(self, tmp_path: Path) -> None:
        with pytest.raises(AuthorError, match=r"runs.db: the directory .*/no does not exist"):
            Ledger.open(tmp_path / "no" / "runs.db")

    def test_missing_file_is_not_made_when_only_opening(self, path: Path) -> None:
        with pytest.raises(AuthorError, match="there is no such database"):
            Ledger.open(path, create=False)
        assert not path.exists()

    def test_a_directory(self, tmp_path: Path) -> None:
        with pytest.raises(AuthorError, match="this is a directory"):
            Ledger.open(tmp_path)

    def test_a_device_or_a_pipe(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        for path in (Path("/dev/null"), tmp_path / "pipe"):
            with pytest.raises(AuthorError, match=f"^{path}: this is a device, a pipe or a socket"):
                Ledger.open(path)

    @pytest.mark.parametrize("name", ["n" * 300, "n" * 300 + "/runs.db", "n" * 5000])
    def test_a_name_that_is_too_long(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(AuthorError, match="File name too long"):
            Ledger.open(tmp_path / name)

    def test_a_table_that_was_dropped(self, ledger: Ledger, run_id: str, path: Path) -> None:
        with sqlite3.connect(path) as connection:
            connection.execute("DROP TABLE event")
        with pytest.raises(AuthorError, match=r"its tables were changed \(no such table: event\)"):
            ledger.runs()

    @pytest.mark.parametrize("left_behind", [False, True])
    def test_a_read_only_directory_is_read(self, ledger: Ledger, run_id: str, path: Path, left_behind: bool) -> None:
        """Also beside a writer's files, which hold what is not in the file itself yet."""
        if not left_behind:
            ledger.close()
        assert read_without_rights(path).splitlines() == [f"{run_id} 5 []"]

    def test_a_read_only_directory_with_a_log_that_cannot_be_read_there(
        self, ledger: Ledger, run_id: str, path: Path, tmp_path: Path
    ) -> None:
        copy = tmp_path / "copy"
        copy.mkdir()
        for part in ("", "-wal"):
            shutil.copy(f"{path}{part}", copy)
        assert "its newest part is in runs.db-wal" in read_without_rights(copy / "runs.db")

    def test_a_file_the_system_will_not_open(self, tmp_path: Path) -> None:
        link = tmp_path / "runs.db"
        link.symlink_to(tmp_path / "no" / "target.db")
        with pytest.raises(AuthorError, match="the database cannot be opened"):
            Ledger.open(link)

    def test_not_a_database(self, path: Path) -> None:
        path.write_bytes(b"this is a text file, long enough to be looked at as a database header " * 20)
        with pytest.raises(AuthorError, match="this is not an SQLite database"):
            Ledger.open(path)

    def test_another_programs_database_is_left_alone(self, path: Path) -> None:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE checkpoints (id)")
        connection.close()
        before = path.read_bytes()
        with pytest.raises(AuthorError, match="another program's SQLite database"):
            Ledger.open(path)
        assert path.read_bytes() == before

    def test_a_newer_schema(self, ledger: Ledger, path: Path) -> None:
        newer = len(MIGRATIONS) + 1
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {newer}")
        connection.close()
        expected = f"schema version {newer}, this Evalwright knows versions up to {len(MIGRATIONS)}. Upgrade Evalwright"
        with pytest.raises(AuthorError, match=expected):
            Ledger.open(path)

    def test_a_damaged_database(self, ledger: Ledger, run_id: str, path: Path) -> None:
        ledger.close()
        content = bytearray(path.read_bytes())
        content[4096:] = b"\xa5" * (len(content) - 4096)  # every page but the header's
        path.write_bytes(content)
        with Ledger.open(path) as damaged, pytest.raises(AuthorError, match="the database is damaged"):
            damaged.runs()

    def test_a_database_that_may_not_be_written(self, ledger: Ledger, run_id: str) -> None:
        recorder = ledger.recorder(run_id)
        with ledger._database.reading() as connection:
            connection.exec_driver_sql("PRAGMA query_only = ON")  # SQLITE_READONLY, for root as well
        with pytest.raises(AuthorError, match="the database cannot be written"):
            recorder.append("tool.call", {})

    def test_a_database_that_another_process_holds(self, ledger: Ledger, run_id: str, path: Path) -> None:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with Ledger.open(path, wait=0.1) as waiting:
            recorder = waiting.recorder(run_id)
            with pytest.raises(EnvironmentFailure, match="the database is locked by another process"):
                recorder.append("tool.call", {"number": 6})
            holder.execute("COMMIT")
            holder.close()
            assert recorder.append("tool.call", {"number": 6}).seq == 6
        assert ledger.verify() == []

    def test_a_new_file_carries_our_mark(self, ledger: Ledger, path: Path) -> None:
        # Bytes 68-71 of the header are the application id: sqlite.org/fileformat.html, section 1.3
        ledger.close()
        assert path.read_bytes()[68:72] == b"EWL1" == APPLICATION_ID.to_bytes(4, "big")

"""A ledger in a temporary directory, and a way to tamper with it behind its back."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evals.ledger import Ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    with Ledger.open(path) as opened:
        yield opened


@pytest.fixture
def run_id(ledger: Ledger) -> str:
    """A run of five events; `run.started` is the first."""
    run_id = ledger.new_run(task="evalwright/welch", task_digest="d" * 64, model="scripted", config={"steps": 4})
    recorder = ledger.recorder(run_id)
    for number in range(2, 6):
        recorder.append("tool.call", {"number": number})
    return run_id


@pytest.fixture
def tamper(path: Path) -> Callable[..., None]:
    """Run SQL on the file by plain sqlite3, with every trigger dropped first."""

    def run(sql: str, *values: object) -> None:
        with sqlite3.connect(path) as connection:
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            assert connection.execute(sql, values).rowcount > 0, "the tampering changed nothing"
        connection.close()

    return run

"""The schema of `runs.db`, as an append-only numbered list of steps.

Migration N takes a database from version N-1 to N; the version is kept in `PRAGMA user_version`. A released migration
is never edited: a change is a new entry at the end. All missing steps run in one transaction.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

from sqlalchemy import Connection

from tools.errors import AuthorError

APPLICATION_ID = 0x45_57_4C_31
"""`EWL1` in SQLite's header: tells a ledger from any other program's database."""


def _guard(table: str, key: str) -> tuple[str, ...]:
    """Triggers that make `table` append-only; `key` is the condition under which a new row meets an old one."""
    refuse = f"SELECT RAISE(ABORT, '{table} is append-only');"
    return (
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN {refuse} END",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN {refuse} END",
        # INSERT OR REPLACE removes the old row without firing the delete trigger.
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE rowid = NEW.rowid OR ({key})) BEGIN {refuse} END",
    )


_FIRST = (
    """CREATE TABLE run (
        id TEXT NOT NULL PRIMARY KEY, task TEXT NOT NULL, task_digest TEXT NOT NULL, model TEXT NOT NULL,
        config TEXT NOT NULL, started_at TEXT NOT NULL) STRICT""",
    """CREATE TABLE event (
        run_id TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL,
        prev_hash TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (run_id, seq)) STRICT""",
    "CREATE INDEX event_by_kind ON event (run_id, kind, seq)",
    """CREATE TABLE blob (
        digest TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL, encoding TEXT NOT NULL, data BLOB NOT NULL) STRICT""",
    """CREATE TABLE seal (
        id TEXT NOT NULL PRIMARY KEY, task_digest TEXT NOT NULL, at TEXT NOT NULL, split TEXT NOT NULL,
        cases INTEGER NOT NULL, commitment TEXT NOT NULL, key_id TEXT NOT NULL, ciphertext BLOB NOT NULL) STRICT""",
    "CREATE INDEX seal_by_task ON seal (task_digest, at)",
    *_guard("run", "id = NEW.id"),
    *_guard("event", "run_id = NEW.run_id AND seq = NEW.seq"),
    *_guard("blob", "digest = NEW.digest"),
    *_guard("seal", "id = NEW.id"),
)

MIGRATIONS: Sequence[Sequence[str]] = (_FIRST,)
"""Append only; entry 0 makes version 1."""


def version_of(connection: Connection, path: Path) -> int:
    """The schema version; 0 for an empty database. AuthorError when it is another program's or a newer Evalwright's."""
    version = _pragma(connection, "user_version")
    if _pragma(connection, "application_id") != APPLICATION_ID:
        if version or connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema").scalar_one():
            raise AuthorError("this is another program's SQLite database", where=str(path), remedy="Give another path.")
        return 0
    if version > len(MIGRATIONS):
        problem = f"the ledger has schema version {version}, this Evalwright knows versions up to {len(MIGRATIONS)}"
        raise AuthorError(problem, where=str(path), remedy="Upgrade Evalwright, or give another path.")
    return version


def migrate(connection: Connection, path: Path) -> None:
    """Bring the database to the newest version; runs inside the caller's write transaction."""
    version = version_of(connection, path)
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        for statement in statements:
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"PRAGMA user_version = {number}")
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def changed_tables(connection: Connection) -> list[str]:
    """Tables of ours that are missing, or defined otherwise than the migrations define them."""
    found = {row.name: row.sql for row in connection.exec_driver_sql(_TABLES)}
    return [name for name, sql in _tables().items() if found.get(name) != sql]


@cache
def _tables() -> dict[str, str]:
    """Name → definition, as SQLite keeps it, of every table that the migrations make."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in (each for migration in MIGRATIONS for each in migration):
            connection.execute(statement)
        return dict(connection.execute(_TABLES).fetchall())


_TABLES = "SELECT name, sql FROM sqlite_schema WHERE type = 'table'"


def _pragma(connection: Connection, name: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())

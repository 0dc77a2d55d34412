"""The SQLite file under the ledger: connections, transactions, and errors in plain words.

`writing()` is one transaction that holds SQLite's write lock from its first statement (BEGIN IMMEDIATE), so what it
reads stays true until it commits, in every process. A committed write is on the disk (WAL, synchronous=FULL); a failed
one left nothing behind. `reading()` sees one consistent snapshot. Both turn SQLite's errors into Evalwright's.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.exc import DBAPIError

from evals.ledger.migrations import MIGRATIONS, migrate, version_of
from tools.errors import AuthorError, EnvironmentFailure, EvalwrightError

BUSY_SECONDS = 5.0


class Database:
    """One SQLite file in WAL mode; safe to share between threads."""

    def __init__(self, path: Path, *, wait: float = BUSY_SECONDS, write: bool = True) -> None:
        """Without `write` a database can be read where nothing may be written beside it."""
        self.path = path
        self.wait = wait
        url = URL.create("sqlite", database=str(path)) if write or not _is_at_rest(path) else _unchanging(path)
        self.engine = create_engine(url, connect_args={"timeout": wait})
        event.listen(self.engine, "connect", _configure)
        event.listen(self.engine, "begin", _begin)
        self._immediate = self.engine.execution_options(immediate=True)
        # Threads queue here rather than in SQLite, whose waiting is a poll with sleeps.
        self._writer = threading.Lock()

    def prepare(self) -> None:
        """Bring the file to WAL mode and the newest schema; AuthorError when it is no ledger of ours."""
        with self.reading() as connection:
            if version_of(connection, self.path) == len(MIGRATIONS):
                return
        with _explained(self.path), self.engine.connect() as connection:
            self._use_wal(connection.connection.driver_connection)
        with self.writing() as connection:
            migrate(connection, self.path)

    def _use_wal(self, connection: Any) -> None:
        deadline = time.monotonic() + self.wait
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                # Two processes that switch a new file at once: SQLite answers "locked" without waiting.
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A read transaction."""
        with _explained(self.path), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A write transaction: all or nothing, durable once the block is left."""
        with self._writer, _explained(self.path), self._immediate.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def _is_at_rest(path: Path) -> bool:
    """Whether the file is all there is of the database, and SQLite's files for readers cannot be made beside it.

    SQLite reads a WAL database only with such files, unless it is told that nobody writes: sqlite.org/wal.html,
    section 5. AuthorError when there is a WAL that cannot be read without them.
    """
    if os.access(path.parent, os.W_OK) or path.with_name(f"{path.name}-shm").exists():
        return False
    wal = path.with_name(f"{path.name}-wal")
    if wal.exists() and wal.stat().st_size:
        problem, remedy = f"its newest part is in {wal.name}", "Copy both files to a directory you may write to."
        raise AuthorError(f"{problem}, which cannot be read in a read-only directory", where=str(path), remedy=remedy)
    return True


def _unchanging(path: Path) -> URL:
    options = {"mode": "ro", "immutable": "1", "uri": "true"}
    return URL.create("sqlite", database=f"file:{quote(os.fsencode(path))}", query=options)


def _configure(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # `_begin` opens the transactions, not the sqlite3 module
    # A tampered file may hold text that is no UTF-8; it must reach `verify` as a finding, not as a crash.
    connection.text_factory = lambda data: data.decode(errors="surrogateescape")
    connection.execute("PRAGMA synchronous = FULL")


def _begin(connection: Connection) -> None:
    mode = "IMMEDIATE" if connection.get_execution_options().get("immediate") else "DEFERRED"
    connection.exec_driver_sql(f"BEGIN {mode}")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise _explain(error.orig, path) or error from error
    except sqlite3.Error as error:
        raise _explain(error, path) or error from error


def _explain(error: BaseException | None, path: Path) -> EvalwrightError | None:
    """SQLite's error in Evalwright's terms; None when it is nobody's to mend but a programmer's."""
    code = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_ERROR and str(error).startswith(_NOT_OURS):
        return AuthorError(f"its tables were changed ({error})", where=str(path), remedy="Restore it from a copy.")
    known = _KNOWN.get(code & 0xFF) if code is not None else None
    if known is None:
        return None
    kind, problem, remedy = known
    return kind(f"{problem} ({error})", where=str(path), remedy=remedy)


_NOT_OURS = ("no such table", "no such column")
_LOCKED = (EnvironmentFailure, "the database is locked by another process", "Wait until it is done, or end it.")
_KNOWN: dict[int, tuple[type[EvalwrightError], str, str]] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_PROTOCOL: _LOCKED,
    sqlite3.SQLITE_FULL: (EnvironmentFailure, "the disk is full, nothing was written", "Make room, then resume."),
    sqlite3.SQLITE_IOERR: (EnvironmentFailure, "the disk failed", "Check its space and health, then resume."),
    sqlite3.SQLITE_NOTADB: (AuthorError, "this is not an SQLite database", "Give the path of a runs.db."),
    sqlite3.SQLITE_CORRUPT: (AuthorError, "the database is damaged", "Restore it from a copy."),
    sqlite3.SQLITE_CANTOPEN: (AuthorError, "the database cannot be opened", "Check the path and its permissions."),
    sqlite3.SQLITE_READONLY: (
        AuthorError,
        "the database cannot be written",
        "Make the file and its directory writable, or copy it elsewhere; list, show and verify only read.",
    ),
    sqlite3.SQLITE_TOOBIG: (AuthorError, "a value is larger than SQLite can hold", "Split it."),
}

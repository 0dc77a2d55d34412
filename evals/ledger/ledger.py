"""`runs.db`: the one record of what runs did, that anyone can check.

Events are appended and never changed; each run's events form a hash chain (`chain.py`). Large things are blobs named by
their hash. Every write is one durable transaction. Readers and writers may be different processes.
"""

import re
import secrets
import tarfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlmodel import Session, col, insert, select

from evals.ledger import blobs, driver
from evals.ledger.chain import canonical
from evals.ledger.database import BUSY_SECONDS, Database
from evals.ledger.payload import is_utf8, printable
from evals.ledger.recorder import Recorder, append_event, payload_text, utc_now
from evals.ledger.seals import Seal
from evals.ledger.summary import RunSummary, summaries
from evals.ledger.tables import Event, Run, SealRow
from evals.ledger.verify import Finding, Head, heads, verify
from tools.errors import AuthorError
from tools.files import FileTree

_PAGE = 256
"""Events read at once; between pages no read transaction is open, so a slow reader does not hold up the WAL."""


class Ledger:
    """An open `runs.db`; a context manager, safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, path: Path, *, create: bool = True, write: bool = True, wait: float = BUSY_SECONDS) -> Self:
        """Open the ledger at `path`, made when missing; `wait` seconds for a lock that another process holds.

        Without `create` it must be there; without `write` it may lie where nothing can be written.
        """
        path = _checked_path(path, create)
        database = Database(path, wait=wait, write=write)
        try:
            database.prepare()
        except BaseException:
            database.close()
            raise
        return cls(database)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._database.path

    def new_run(self, *, task: str, task_digest: str, model: str, config: Mapping[str, Any]) -> str:
        """Register a run and record its first event, `run.started`, which repeats these facts; the run's id."""
        facts = {"task": task, "task_digest": task_digest, "model": model, "config": dict(config)}
        text = payload_text("run.started", facts)
        at = utc_now()
        run_id = _new_id(task, at)
        row = {**facts, "id": run_id, "config": canonical(facts["config"]), "started_at": at}
        with self._database.writing() as connection:
            connection.execute(insert(Run), row)
            append_event(connection, run_id, "run.started", text, at)
        return run_id

    def recorder(self, run_id: str) -> Recorder:
        """The recorder that continues the run's chain; AuthorError when there is no such run."""
        return Recorder(self._database, self._existing(run_id))

    def drive(self, run_id: str) -> AbstractContextManager[None]:
        """Be the one process that drives the run while the block lasts; AuthorError when another does."""
        return driver.drive(self.path, self._existing(run_id))

    def runs(self) -> list[RunSummary]:
        """All runs, newest first."""
        with self._database.reading() as connection:
            return summaries(connection, self._driven)

    def run(self, prefix: str) -> RunSummary:
        """The run whose id is or starts with `prefix`, or the newest for "last"; AuthorError unless it is just one."""
        run_id = self._resolve(prefix)
        with self._database.reading() as connection:
            return summaries(connection, self._driven, run_id=run_id)[0]

    def events(self, run_id: str, *, kinds: Collection[str] | None = None, after: int = 0) -> Iterator[Event]:
        """The run's events in order, those after number `after`; only of `kinds` when given."""
        query = select(Event).where(Event.run_id == self._existing(run_id)).order_by(col(Event.seq)).limit(_PAGE)
        if kinds is not None:
            query = query.where(col(Event.kind).in_(kinds))
        return self._pages(query, after)

    def newest(self, run_id: str, kinds: Collection[str], count: int = 1) -> list[Event]:
        """The run's last events of these kinds, oldest first; costs the same however long the run is."""
        query = select(Event).where(Event.run_id == run_id, col(Event.kind).in_(kinds))
        with self._database.reading() as connection, Session(connection) as session:
            found = session.exec(query.order_by(col(Event.seq).desc()).limit(count)).all()
            session.expunge_all()
        return list(reversed(found))

    def _pages(self, query: Any, after: int) -> Iterator[Event]:
        while True:
            with self._database.reading() as connection, Session(connection) as session:
                page = session.exec(query.where(Event.seq > after)).all()
                session.expunge_all()
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1].seq

    def put_blob(self, data: bytes) -> str:
        """Store bytes once; their SHA-256."""
        return self.put_blobs([data])[0]

    def put_blobs(self, contents: Sequence[bytes]) -> list[str]:
        """Store many at once, in one durable transaction; their SHA-256."""
        return blobs.put_blobs(self._database, contents)

    def get_blob(self, digest: str) -> bytes:
        """The bytes of this SHA-256; AuthorError when they are missing or were changed."""
        with self._database.reading() as connection:
            return blobs.get_blob(connection, digest)

    def put_tree(self, tree: FileTree) -> str:
        """Store a tree as a tar; the blob's digest, which is not `tree.digest`."""
        return self.put_blob(tree.to_tar())

    def get_tree(self, digest: str) -> FileTree:
        """The tree stored under this blob digest."""
        data = self.get_blob(digest)
        try:
            return FileTree.from_tar(data)
        except (tarfile.TarError, EOFError, OSError, ValueError) as error:
            remedy = "Run verify to see what was changed."
            raise AuthorError(f"blob {digest} is no tree of files: {error}", remedy=remedy) from None

    def add_seal(self, seal: Seal, task_digest: str) -> None:
        """Keep a sealed split for a task; the same seal twice is one."""
        with self._database.writing() as connection:
            if connection.execute(select(SealRow.id).where(SealRow.id == seal.id)).first() is None:
                connection.execute(insert(SealRow), {**vars(seal), "task_digest": task_digest, "at": utc_now()})

    def seal(self, seal_id: str) -> Seal:
        """The seal of this id; AuthorError when there is none."""
        found = self._one_seal(select(SealRow).where(SealRow.id == seal_id))
        if found is None:
            raise AuthorError(f"there is no seal {seal_id!r}", where=str(self.path), remedy="Seal the task first.")
        return found

    def seal_for(self, task_digest: str) -> Seal | None:
        """The latest seal of a task, or None."""
        newest = col(SealRow.at).desc()
        return self._one_seal(select(SealRow).where(SealRow.task_digest == task_digest).order_by(newest).limit(1))

    def was_opened(self, seal_id: str) -> bool:
        """Whether some run has recorded that this seal was opened."""
        query = select(Event.payload).where(Event.kind == "seal.opened")
        with self._database.reading() as connection:
            # The id is long and random: where it stands in a payload, even a mangled one, this seal was opened.
            return any(seal_id in payload for payload in connection.execute(query).scalars())

    def verify(self, run_id: str | None = None) -> list[Finding]:
        """What is not as it was recorded, in one run or in all; empty when everything is."""
        with self._database.reading() as connection:
            return verify(connection, run_id)

    def heads(self, run_id: str | None = None) -> list[Head]:
        """How many events each run has and where its chain ends: what `verify` read."""
        with self._database.reading() as connection:
            return heads(connection, run_id)

    def _one_seal(self, query: Any) -> Seal | None:
        with self._database.reading() as connection, Session(connection) as session:
            row = session.exec(query).first()
            if row is None:
                return None
            return Seal(row.id, row.split, row.cases, row.commitment, row.key_id, row.ciphertext)

    def _driven(self, run_id: str) -> bool:
        return driver.is_driven(self.path, run_id)

    def _existing(self, run_id: str) -> str:
        with self._database.reading() as connection:
            if connection.execute(select(Run.id).where(Run.id == run_id)).first() is None:
                raise self._unknown(run_id)
        return run_id

    def _resolve(self, prefix: str) -> str:
        with self._database.reading() as connection:
            newest_first = select(Run.id).order_by(col(Run.started_at).desc(), col(Run.id).desc())
            ids = list(connection.execute(newest_first).scalars())
        if prefix in ids:
            return prefix
        matches = ids[:1] if prefix == "last" else [each for each in ids if prefix and each.startswith(prefix)]
        if not matches:
            raise self._unknown(prefix, ids)
        if len(matches) > 1:
            shown = ", ".join(matches[:4]) + (", …" if len(matches) > 4 else "")
            raise AuthorError(f"{len(matches)} runs start with {prefix!r}: {shown}", remedy="Give more of the id.")
        if not is_utf8(matches[0]):
            problem, remedy = "its id is not UTF-8: it was inserted or changed", "`evalwright verify` says more"
            raise AuthorError(problem, where=f"run {printable(matches[0])}", remedy=remedy)
        return matches[0]

    def _unknown(self, name: str, ids: Collection[str] = ()) -> AuthorError:
        newest = f"The newest is {next(iter(ids))}." if ids else "List the runs to see their ids."
        return AuthorError(f"there is no run {name!r}", where=str(self.path), remedy=newest)


def _checked_path(path: Path, create: bool) -> Path:
    """The absolute path; AuthorError when no ledger can be there."""
    try:
        path = path.absolute()
        _check_path(path, create)
    except OSError as error:  # a name that is too long, a directory that may not be entered, no working directory
        raise AuthorError(f"{error.strerror}", where=printable(str(path)), remedy="Give another path.") from None
    return path


def _check_path(path: Path, create: bool) -> None:
    if not path.parent.is_dir():
        raise AuthorError(f"the directory {path.parent} does not exist", where=str(path), remedy="Create it first.")
    if path.is_dir():
        raise AuthorError("this is a directory", where=str(path), remedy="Give the path of the database file.")
    if path.exists() and not path.is_file():
        problem, remedy = "this is a device, a pipe or a socket", "Give the path of the database file."
        raise AuthorError(problem, where=str(path), remedy=remedy)
    if not create and not path.exists():
        remedy = "Start a run first, or give the path of an existing one with --db or EVALWRIGHT_DB."
        raise AuthorError("there is no such database", where=str(path), remedy=remedy)


def _new_id(task: str, at: str) -> str:
    """`welch-20261130-114500-3f2a`: the task's last name, the UTC time, four random hex digits."""
    slug = re.sub(r"[^a-z0-9]+", "-", task.rsplit("/", 1)[-1].lower()).strip("-")[:40] or "run"
    moment = datetime.fromisoformat(at).astimezone(UTC)
    return f"{slug}-{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"

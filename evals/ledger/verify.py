"""Checking a ledger: is what it holds what was recorded?

Every event's hash, link, number and canonical form is computed anew; a run's row is compared with its first event; the
blobs an event refers to, and the seal it committed to, are checked too. After the first broken event of a run the rest
of its chain says nothing new, so one chain finding a run is reported. Whatever stands in a row, it ends as a finding.

Not shown by this: a tail cut off, a chain computed anew from some point on, or a run that was removed whole. That takes
a head kept elsewhere; `heads` says how many runs and events there are and where each chain ends now.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func
from sqlmodel import col, select

from evals.ledger.blobs import get_blob
from evals.ledger.chain import canonical, event_hash, first_hash, sha256
from evals.ledger.migrations import changed_tables
from evals.ledger.payload import is_utf8, parsed, printable
from evals.ledger.tables import Blob, Event, Run, SealRow
from tools.errors import AuthorError


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it was recorded.

    References that are checked: payload values, at any depth, under the key `blob` or a key ending in `_blob` (a
    digest, or a list of them) must name a stored blob. Keys ending in `digest` are names, not references: they also
    name trees, requests, tasks and images that the ledger need not hold.
    """

    run_id: str
    """Empty when the finding belongs to no run: a table, or a blob that no checked event refers to."""
    seq: int
    """The event that is wrong or missing; 0 when it is the run as a whole, or no run."""
    problem: str

    def __str__(self) -> str:
        place = f"run {self.run_id}, event {self.seq}" if self.seq else f"run {self.run_id}" if self.run_id else ""
        return f"{place}: {self.problem}" if place else self.problem


def verify(connection: Connection, run_id: str | None) -> list[Finding]:
    """All findings in one run, or in the whole ledger: every run and blob. AuthorError when there is no such run."""
    if tables := changed_tables(connection):
        # Nothing else in the file means what it should.
        return [Finding("", 0, f"the table {name} is missing or was made anew") for name in tables]
    blobs: dict[str, str] = {}
    if run_id is not None:
        return list(_verify_run(connection, run_id, blobs))
    findings = [finding for each in _run_ids(connection) for finding in _verify_run(connection, each, blobs)]
    digests = connection.execute(select(Blob.digest)).scalars().all()
    unnamed = [_blob_problem(connection, digest, blobs) for digest in digests if digest not in blobs]
    return findings + [Finding("", 0, problem) for problem in unnamed if problem]


@dataclass(frozen=True)
class Head:
    """Where a run's chain ends: what a later look at the same ledger must still find."""

    run_id: str
    events: int
    hash: str
    """Of the last event."""


def heads(connection: Connection, run_id: str | None) -> list[Head]:
    """The chain heads of one run, or of all; none when the events cannot be read."""
    if changed_tables(connection):
        return []
    # SQLite takes the other columns from the row that has the maximum: sqlite.org/lang_select.html, section 2.5.
    query = select(Event.run_id, func.max(Event.seq), Event.hash).group_by(Event.run_id).order_by(Event.run_id)
    if run_id is not None:
        query = query.where(Event.run_id == run_id)
    return [Head(printable(run), events, printable(last)) for run, events, last in connection.execute(query)]


def _run_ids(connection: Connection) -> list[str]:
    """Runs that have a row or an event; either may have been removed."""
    rows = set(connection.execute(select(Run.id)).scalars())
    return sorted(rows | set(connection.execute(select(Event.run_id).distinct()).scalars()))


def _verify_run(connection: Connection, run_id: str, blobs: dict[str, str]) -> Iterator[Finding]:
    """`blobs` remembers the blobs already checked: digest → what is wrong with it, or empty."""
    if not is_utf8(run_id):
        yield Finding(printable(run_id), 0, "the run's id is not UTF-8: it was inserted or changed")
        return
    run = connection.execute(select(*_columns(Run)).where(Run.id == run_id)).first()
    seq, prev_hash, intact = 0, first_hash(run_id), True
    query = select(*_columns(Event)).where(Event.run_id == run_id).order_by(col(Event.seq))
    for event in connection.execute(query.execution_options(yield_per=256)):
        seq += 1
        if intact and (problem := _chain_problem(event, seq, prev_hash)):
            intact = False
            yield Finding(run_id, min(seq, event.seq), problem)
        prev_hash = event.hash
        problems = filter(None, _payload_problems(connection, event, run, blobs))
        yield from (Finding(run_id, event.seq, problem) for problem in problems)
    if run is None and not seq:
        raise AuthorError(f"there is no run {run_id!r}", remedy="List the runs to see their ids.")
    if run is None or not seq:
        yield Finding(run_id, 0, "the run's events are missing" if run else "the run's row is missing")


def _columns(table: Any) -> list[Any]:
    return list(table.__table__.columns)


def _chain_problem(event: Any, seq: int, prev_hash: str) -> str:
    """What is wrong with this event as number `seq` after `prev_hash`; empty when nothing is."""
    if event.seq < 1:
        return f"an event numbered {event.seq} was inserted"
    if event.seq != seq:
        return f"event {seq} is missing"
    content = (event.run_id, event.seq, event.at, event.kind, event.payload)
    if event.hash != event_hash(*content, prev_hash=event.prev_hash):
        return "the content was changed: it does not have the recorded hash"
    if event.prev_hash != prev_hash:
        return "the event does not follow the one before it: something was inserted, reordered or rewritten"
    return "the payload is not canonical JSON" if parsed(event.payload) is None else ""


def _payload_problems(connection: Connection, event: Any, run: Any, blobs: dict[str, str]) -> Iterator[str]:
    """What an event says that the other tables do not bear out."""
    payload = parsed(event.payload)
    if payload is None:
        return  # the chain has this finding
    for digest in sorted(set(_references(payload))):
        yield _blob_problem(connection, digest, blobs)
    if event.seq == 1 and run is not None:
        yield _run_problem(event, payload, run)
    if event.kind == "seal.committed":
        yield _seal_problem(connection, payload)


def _references(value: object, key: str = "") -> Iterator[str]:
    """The blob digests in a payload."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _references(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item, key)
    elif isinstance(value, str) and (key == "blob" or key.endswith("_blob")):
        yield value


def _blob_problem(connection: Connection, digest: str, blobs: dict[str, str]) -> str:
    if not is_utf8(digest):
        return f"the blob's digest {printable(digest)} is not UTF-8: it was inserted or changed"
    if digest not in blobs:
        try:
            get_blob(connection, digest)
            blobs[digest] = ""
        except AuthorError as error:
            blobs[digest] = error.problem
    return blobs[digest]


def _run_problem(event: Any, payload: dict[str, Any], run: Any) -> str:
    """A run's row must say what its first event says."""
    recorded = {
        "task": payload.get("task"),
        "task_digest": payload.get("task_digest"),
        "model": payload.get("model"),
        "config": canonical(payload.get("config")),
        "started_at": event.at,
    }
    changed = [name for name, value in recorded.items() if getattr(run, name) != value]
    return f"the run's row was changed: {', '.join(changed)} differ from the first event" if changed else ""


def _seal_problem(connection: Connection, payload: dict[str, Any]) -> str:
    """The seal's row must say what was committed to; older ledgers committed to less, and that much is compared."""
    name = payload.get("seal")
    if not isinstance(name, str):
        return "the payload names no seal"
    row = connection.execute(select(*_columns(SealRow)).where(SealRow.id == name)).first()
    if row is None:
        return f"seal {name} is missing"
    stored = {column: getattr(row, column) for column in ("split", "cases", "commitment", "key_id", "task_digest")}
    stored["ciphertext_digest"] = sha256(row.ciphertext)
    changed = [
        key for key, value in stored.items() if payload.get(key, None if key == "commitment" else value) != value
    ]
    return f"seal {name} has another {', '.join(changed)} than was recorded" if changed else ""

"""Checking a ledger: is what it holds what was recorded?

Every event's hash, link, number and canonical form is computed anew; a run's row is compared with its first event; the
blobs an event refers to, and the seal it committed to, are checked too. After the first broken event of a run the rest
of its chain says nothing new, so one chain finding a run is reported.

Not shown by this: a tail cut off, or a chain computed anew from some point on. That takes a signed head.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from sqlmodel import col, select

from evals.ledger.blobs import get_blob
from evals.ledger.chain import canonical, event_hash, first_hash
from evals.ledger.tables import Blob, Event, Run, SealRow
from tools.errors import AuthorError, EvalwrightError


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it was recorded.

    References that are checked: payload values, at any depth, under the key `blob` or a key ending in `_blob` (a
    digest, or a list of them) must name a stored blob. Keys ending in `digest` are names, not references: they also
    name trees, requests, tasks and images that the ledger need not hold.
    """

    run_id: str
    """Empty when the finding belongs to no run: a blob that no checked event refers to."""
    seq: int
    """The event that is wrong or missing; 0 when it is the run as a whole, or no run."""
    problem: str

    def __str__(self) -> str:
        place = f"run {self.run_id}, event {self.seq}" if self.seq else f"run {self.run_id}" if self.run_id else ""
        return f"{place}: {self.problem}" if place else self.problem


def verify(connection: Connection, run_id: str | None) -> list[Finding]:
    """All findings in one run, or in the whole ledger: every run and blob. AuthorError when there is no such run."""
    blobs: dict[str, str] = {}
    if run_id is not None:
        return list(_verify_run(connection, run_id, blobs))
    findings = [finding for each in _run_ids(connection) for finding in _verify_run(connection, each, blobs)]
    digests = connection.execute(select(Blob.digest)).scalars().all()
    unnamed = [_blob_problem(connection, digest, blobs) for digest in digests if digest not in blobs]
    return findings + [Finding("", 0, problem) for problem in unnamed if problem]


def _run_ids(connection: Connection) -> list[str]:
    """Runs that have a row or an event; either may have been removed."""
    rows = set(connection.execute(select(Run.id)).scalars())
    return sorted(rows | set(connection.execute(select(Event.run_id).distinct()).scalars()))


def _verify_run(connection: Connection, run_id: str, blobs: dict[str, str]) -> Iterator[Finding]:
    """`blobs` remembers the blobs already checked: digest → what is wrong with it, or empty."""
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
    return "the payload is not canonical JSON" if _parsed(event.payload) is None else ""


def _parsed(payload: str) -> dict[str, Any] | None:
    """The payload, or None when it is not the canonical text of an object."""
    try:
        parsed = json.loads(payload)
        return parsed if isinstance(parsed, dict) and canonical(parsed) == payload else None
    except (ValueError, RecursionError, EvalwrightError):
        return None


def _payload_problems(connection: Connection, event: Any, run: Any, blobs: dict[str, str]) -> Iterator[str]:
    """What an event says that the other tables do not bear out."""
    payload = _parsed(event.payload)
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
    name = payload.get("seal")
    commitment = connection.execute(select(SealRow.commitment).where(SealRow.id == name)).scalar()
    if commitment is None:
        return f"seal {name} is missing"
    return "" if commitment == payload.get("commitment") else f"seal {name} has another commitment than was recorded"

"""Appending to one run's chain.

`append` is one transaction and durable when it returns. The chain's tip is read inside that transaction, so threads and
processes that append to the same run take turns and the chain cannot fork. A failed append (full disk, locked file)
wrote nothing; the same recorder goes on once the cause is gone.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, bindparam
from sqlmodel import col, insert, select

from evals.ledger.chain import canonical, event_hash, first_hash
from evals.ledger.database import Database
from evals.ledger.tables import Event
from tools.errors import AuthorError

# Made once: building them anew costs more than running them.
_INSERT = insert(Event)
_TIP = select(Event.seq, Event.hash).where(Event.run_id == bindparam("run_id")).order_by(col(Event.seq).desc()).limit(1)
_KIND = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")


class Recorder:
    """The one way to write a run's events."""

    def __init__(self, database: Database, run_id: str) -> None:
        self._database = database
        self.run_id = run_id

    def append(self, kind: str, payload: Mapping[str, Any]) -> Event:
        """Record one event; AuthorError for what is not JSON, EnvironmentFailure when the file cannot be written."""
        text = payload_text(kind, payload)
        with self._database.writing() as connection:
            return append_event(connection, self.run_id, kind, text)


def payload_text(kind: str, payload: Mapping[str, Any]) -> str:
    """The canonical text of a payload; AuthorError when kind or payload are malformed."""
    if not _KIND.fullmatch(kind):
        raise AuthorError(f"{kind!r} is not an event kind", remedy="Use lower-case words joined by dots: tool.call.")
    return canonical(dict(payload), where=kind)


def append_event(connection: Connection, run_id: str, kind: str, text: str, at: str = "") -> Event:
    """Chain one event to the run's last, inside the caller's write transaction."""
    tip = connection.execute(_TIP, {"run_id": run_id}).first()
    seq, prev_hash = (tip.seq + 1, tip.hash) if tip else (1, first_hash(run_id))
    at = at or utc_now()
    own_hash = event_hash(run_id, seq, at, kind, text, prev_hash=prev_hash)
    event = Event(run_id=run_id, seq=seq, at=at, kind=kind, payload=text, prev_hash=prev_hash, hash=own_hash)
    connection.execute(_INSERT, event.model_dump())
    return event


def utc_now() -> str:
    """Now in UTC, ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")

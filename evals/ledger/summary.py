"""One line about each run, derived from its events.

Nothing is stored twice: state and values are the last events of their kinds, found through the index on
(run_id, kind, seq), so a list of runs does not read the runs' events. What an audit found counts for the submission
that it audited, and for no other. A list never fails on what somebody changed: that value is left out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, ScalarSelect, func, select
from sqlmodel import col

from evals.ledger.payload import finite, parsed, printable
from evals.ledger.tables import Event, Run

_STATE_OF = {"run.started": "running", "run.resumed": "running", "run.paused": "paused", "run.finished": "finished"}


@dataclass(frozen=True)
class RunSummary:
    """What a list of runs shows."""

    id: str
    task: str
    model: str
    state: str
    """running, finished, paused, failed, or interrupted: it says running, but no process drives it."""
    best_validation: float | None
    """Value of the last promoted submission: the agent's own score."""
    sealed: float | None
    """Value the last audit found on the sealed test split; None when another submission was promoted since."""
    gap: float | None
    """What that audit found: positive when the run promised too much, whichever way the metric improves."""
    started_at: str
    events: int


def summaries(connection: Connection, driven: Callable[[str], bool], *, run_id: str | None = None) -> list[RunSummary]:
    """All runs, newest first, or just one; `driven` tells whether some process drives a run now."""
    query = select(
        col(Run.id),
        col(Run.task),
        col(Run.model),
        col(Run.started_at),
        _newest_seq().label("events"),
        _last(Event.kind, *_STATE_OF).label("state_kind"),
        _last(Event.payload, *_STATE_OF).label("state_payload"),
        _last(Event.payload, "submission.promoted").label("promoted"),
        _last(Event.payload, "audit.finished").label("audited"),
    ).order_by(col(Run.started_at).desc(), col(Run.id).desc())
    if run_id is not None:
        query = query.where(col(Run.id) == run_id)
    return [_summary(row, driven) for row in connection.execute(query)]


def _newest_seq() -> ScalarSelect[Any]:
    """The last seq, which is the number of events: they are numbered without gaps."""
    return select(func.max(Event.seq)).where(col(Event.run_id) == Run.id).correlate(Run).scalar_subquery()


def _last(column: Any, *kinds: str) -> ScalarSelect[Any]:
    """`column` of the run's last event of these kinds."""
    query = select(column).where(col(Event.run_id) == Run.id, col(Event.kind).in_(kinds))
    return query.order_by(col(Event.seq).desc()).limit(1).correlate(Run).scalar_subquery()


def _summary(row: Row[Any], driven: Callable[[str], bool]) -> RunSummary:
    promoted = _fields(row.promoted)
    audited = _fields(row.audited)
    if (audited.get("submission"), audited.get("harness")) != (promoted.get("digest"), promoted.get("harness")):
        audited = {}
    return RunSummary(
        id=printable(row.id),
        task=printable(row.task),
        model=printable(row.model),
        state=_state(row, driven),
        best_validation=finite(promoted.get("value")),
        sealed=finite(audited.get("sealed")),
        gap=finite(audited.get("gap")),
        started_at=printable(row.started_at),
        events=row.events or 0,
    )


def _state(row: Row[Any], driven: Callable[[str], bool]) -> str:
    state = _STATE_OF.get(row.state_kind, "interrupted")
    if state == "finished" and _fields(row.state_payload).get("state") == "failed":
        return "failed"
    return "interrupted" if state == "running" and not driven(row.id) else state


def _fields(payload: str | None) -> dict[str, Any]:
    """A payload's fields; none of a payload that someone made unreadable, which is for `verify` to report."""
    return parsed(payload or "{}") or {}

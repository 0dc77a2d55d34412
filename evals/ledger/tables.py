"""The tables of `runs.db` as SQLModel classes.

The classes say what a row means; the frozen SQL in `migrations.py` makes the tables, and a test holds the two together.
No row of these tables is ever changed or removed: triggers refuse it.
"""

from typing import Any

from sqlmodel import Field, SQLModel

from evals.ledger.payload import Payload


class Event(SQLModel, table=True):
    """One thing that happened in one run, chained to the one before by its hash."""

    run_id: str = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    """1, 2, 3, … without gaps within a run."""
    at: str
    """UTC, ISO 8601 with microseconds."""
    kind: str
    payload: str
    """Canonical JSON text of an object; `data` is the same, parsed, and `fields` for who does not trust it."""
    prev_hash: str
    hash: str

    @property
    def data(self) -> dict[str, Any]:
        """The payload, parsed; AuthorError naming the event when it was made unreadable."""
        return dict(self.fields.fields)

    @property
    def fields(self) -> Payload:
        """The payload, its fields checked as they are taken."""
        return Payload.of(self.payload, self.run_id, self.seq)


class Run(SQLModel, table=True):
    """What a run was started with; the same facts are in its first event, so that the chain covers them."""

    id: str = Field(primary_key=True)
    task: str
    task_digest: str
    model: str
    config: str
    """Canonical JSON text."""
    started_at: str


class Blob(SQLModel, table=True):
    """Bytes too large for a payload, named by their SHA-256."""

    digest: str = Field(primary_key=True)
    """SHA-256 of the raw bytes, in hex."""
    size: int
    """Raw bytes."""
    encoding: str
    """How `data` is stored: "raw" or "zlib"."""
    data: bytes


class SealRow(SQLModel, table=True):
    """A sealed split as `evals.ledger.seals.Seal` describes it, and the task it belongs to."""

    __tablename__ = "seal"

    id: str = Field(primary_key=True)
    task_digest: str
    at: str
    split: str
    cases: int
    commitment: str
    key_id: str
    ciphertext: bytes

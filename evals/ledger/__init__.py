"""The ledger: `runs.db`, the append-only, hash-chained record of every run."""

from evals.ledger.ledger import Ledger
from evals.ledger.payload import Payload
from evals.ledger.recorder import Recorder
from evals.ledger.seals import Seal
from evals.ledger.summary import RunSummary
from evals.ledger.tables import Event
from evals.ledger.verify import Finding, Head

__all__ = ["Event", "Finding", "Head", "Ledger", "Payload", "Recorder", "RunSummary", "Seal"]

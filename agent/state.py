"""The graph's state: identifiers and counters only, so that a checkpoint costs the same at every step."""

from typing import TypedDict


class State(TypedDict, total=False):
    """What flows between nodes. Digests name trees that the ledger holds."""

    harness: str
    """Digest of the newest harness."""
    harness_version: int
    qualified: bool
    pending: list[str]
    """Submissions that await their score."""
    attempts: int
    best: str
    """Digest of the promoted submission."""
    best_value: float
    best_clean: bool
    """Whether the promoted submission passed every check."""
    perfect: bool
    """The promoted submission is accepted at the metric's best bound: nothing is left to improve."""
    stopped: str
    """Why the run goes to its end now; empty while it goes on."""

"""What one check found, before it gets its name and its time."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness_builder.qualification import CheckVerdict

SHOWN = 5
"""Names in a sentence about many."""


class Undecided(Exception):
    """Evidence could not be gathered; the message says why, `remedy` what to do about it."""

    def __init__(
        self, reason: str, remedy: str = "The harness must deliver a result for any outputs: see the message."
    ) -> None:
        super().__init__(reason)
        self.remedy = remedy


@dataclass(frozen=True)
class Finding:
    """A verdict, and the sentences that go with it."""

    verdict: CheckVerdict
    evidence: str = ""
    remedy: str = ""


def passed(evidence: str = "") -> Finding:
    return Finding("pass", evidence)


def failed(evidence: str, remedy: str) -> Finding:
    return Finding("fail", evidence, remedy)


def not_applicable(reason: str) -> Finding:
    return Finding("not_applicable", reason)


def some(names: Sequence[str]) -> str:
    """The first few of a list, and how many more there are."""
    rest = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")

"""A score and its state.

A score says what happened (`ScoreState`), and only a `scored` one carries a value: there is no silent zero. `accepted`
is the harness's verdict: the mean reaches the declared threshold and every check passed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ScoreState(StrEnum):
    """Who answers for the outcome."""

    SCORED = "scored"
    SUBMISSION_FAILED = "submission_failed"
    HARNESS_INVALID = "harness_invalid"
    INFRASTRUCTURE_FAILED = "infrastructure_failed"


@dataclass(frozen=True)
class CaseScore:
    """One case's metrics as the harness gave them; `missing` when the submission left no output for it."""

    id: str
    metrics: Mapping[str, float]
    missing: bool = False


@dataclass(frozen=True)
class Score:
    """What one submission got from one harness on one split.

    `value` is the mean of the harness's metric over the cases, `checks` maps a check's name to whether it passed,
    `detail` says in one line why there is no value, `log` is the tail of what the submission printed.
    """

    state: ScoreState
    value: float | None = None
    accepted: bool = False
    cases: tuple[CaseScore, ...] = ()
    checks: Mapping[str, bool] = field(default_factory=dict)
    messages: Mapping[str, str] = field(default_factory=dict)
    detail: str = ""
    log: str = ""
    outputs: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def failed_checks(self) -> tuple[str, ...]:
        return tuple(name for name, passed in self.checks.items() if not passed)

    @property
    def means(self) -> dict[str, float]:
        """Mean of every metric over the cases that carry it; what a partial solution got right."""
        names = {name for case in self.cases for name in case.metrics}
        return {name: mean([case.metrics[name] for case in self.cases if name in case.metrics]) for name in names}

    def same_verdict(self, other: "Score") -> bool:
        """Whether two gradings agree in state, value, checks and every case's metrics."""
        mine, others = (
            (score.state, score.value, dict(score.checks), [(case.id, dict(case.metrics)) for case in score.cases])
            for score in (self, other)
        )
        return mine == others

    def summary(self) -> dict[str, Any]:
        """The JSON that the ledger keeps of a score; no outputs, no expectations."""
        return {
            "state": str(self.state),
            "value": self.value,
            "accepted": self.accepted,
            "checks": dict(self.checks),
            "means": self.means,
            "detail": self.detail,
            "seconds": round(self.seconds, 3),
        }


def mean(values: Sequence[float]) -> float:
    """The mean of finite values, finite too: a sum may be beyond the range of a double."""
    total = sum(values)
    return total / len(values) if math.isfinite(total) else sum(value / len(values) for value in values)

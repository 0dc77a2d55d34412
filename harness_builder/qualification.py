"""What the gate says of a harness: one verdict, the checks behind it, each with evidence and remedy.

`qualified`: every applicable check passed. `rejected`: a check failed; the remedy says what to change. `invalid`: the
evidence could not be gathered, which is never a pass. A check is `not_run` when an earlier one makes it meaningless.
"""

from dataclasses import asdict, dataclass
from typing import Any, Literal

CheckVerdict = Literal["pass", "fail", "unknown", "not_applicable", "not_run"]
Verdict = Literal["qualified", "rejected", "invalid"]


@dataclass(frozen=True)
class Check:
    """One check's outcome; `evidence` and `remedy` are sentences for whoever wrote the harness."""

    id: str
    title: str
    verdict: CheckVerdict
    evidence: str = ""
    remedy: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Qualification:
    """The gate's word on one harness, named by its digest."""

    harness: str
    checks: tuple[Check, ...]
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        verdicts = {check.verdict for check in self.checks}
        if not verdicts or "unknown" in verdicts:
            return "invalid"
        return "rejected" if "fail" in verdicts else "qualified"

    @property
    def complaints(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.verdict in ("fail", "unknown"))

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "harness": self.harness,
            "checks": [asdict(check) for check in self.checks],
            "seconds": round(self.seconds, 3),
        }

    def advice(self) -> str:
        """The failing checks as text a model or a person can act on."""
        return "\n".join(
            f"{check.id} {check.title}: {check.evidence} {check.remedy}".strip() for check in self.complaints
        )

"""What the gate and the baselines made of one specimen of the zoo."""

from dataclasses import dataclass, field
from typing import Any

from harness_builder.qualification import Qualification
from harness_builder.zoo.specimen import SET_ASIDE, Specimen


@dataclass(frozen=True)
class Outcome:
    """Right when a sound harness passed, or a flawed one did not."""

    specimen: Specimen
    qualification: Qualification
    baselines: dict[str, bool] = field(default_factory=dict)
    """Name → whether it would have passed; empty where they were left out."""

    @property
    def passed(self) -> bool:
        return self.qualification.verdict == "qualified"

    def passes_without(self, check: str) -> bool:
        """Whether it would have passed, had one check not been made; checks that never ran are not known to object."""
        return all(each.id == check for each in self.qualification.complaints)

    def told(self) -> str:
        """One line; of families that are set aside not what happened, so that nothing is tuned to them."""
        if self.specimen.family in SET_ASIDE:
            return f"{self.specimen.task_name}: one of a family that is set aside"
        right = "right" if self.passed != self.specimen.is_flawed else "WRONG"
        names = " ".join(check.id for check in self.qualification.complaints)
        return f"{right}: {self.specimen.id}: {self.qualification.verdict} {names}".rstrip()

    def as_json(self) -> dict[str, Any]:
        return {
            "specimen": self.specimen.id,
            "family": self.specimen.family,
            "subtle": self.specimen.subtle,
            "odd": self.specimen.odd,
            "verdict": self.qualification.verdict,
            "complaints": [check.id for check in self.qualification.complaints],
            "evidence": self.qualification.advice()[:600],
            "baselines": self.baselines,
            "seconds": round(self.qualification.seconds, 1),
        }

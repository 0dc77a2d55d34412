"""A line and its r2, and what two of them have in common."""

from dataclasses import dataclass

from comparison.numbers import Tolerance

NOTHING = object()


@dataclass(frozen=True)
class Agreement:
    slope: bool
    intercept: bool
    r2: bool

    @property
    def share(self):
        return (self.slope + self.intercept + self.r2) / 3

    @property
    def full(self):
        return self.slope and self.intercept and self.r2


@dataclass(frozen=True)
class Line:
    slope: object
    intercept: object
    r2: object

    @classmethod
    def given(cls, output):
        """What a submission says; fields that it does not have agree with nothing."""
        found = output if isinstance(output, dict) else {}
        return cls(*(found.get(field, NOTHING) for field in ("slope", "intercept", "r2")))

    @classmethod
    def expected(cls, case):
        return cls(**case["expected"])

    def agreement(self, other, tolerance=Tolerance()):
        return Agreement(
            slope=tolerance.allows(other.slope, self.slope),
            intercept=tolerance.allows(other.intercept, self.intercept),
            r2=tolerance.allows(other.r2, self.r2),
        )


def compare(case, outputs):
    return Line.expected(case).agreement(Line.given(outputs.get(case["id"])))

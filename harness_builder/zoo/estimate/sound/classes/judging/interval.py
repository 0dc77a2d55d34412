from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    low: float
    high: float

    def __contains__(self, value):
        return self.low <= value <= self.high

from functools import cached_property

from judging.curve import Curve
from judging.number import near


class Verdict:
    """What is right about one answer."""

    def __init__(self, case, output):
        self.want = case["expected"]
        self.got = output if isinstance(output, dict) else {}

    @cached_property
    def curves(self):
        return Curve(self.got.get("steps")), Curve(self.want["steps"])

    @property
    def steps(self):
        mine, true = self.curves
        return mine.has_times_of(true)

    @property
    def survival(self):
        mine, true = self.curves
        return mine.has_survivals_of(true)

    @property
    def median(self):
        got, want = self.got.get("median", "left out"), self.want["median"]
        return got is None if want is None else near(got, want)

    def matches(self, name, same):
        got, want = self.got.get(name), self.want[name]
        return isinstance(got, list) and len(got) == len(want) and all(map(same, got, want))

    @property
    def interval(self):
        return self.matches("interval", near)

    @property
    def at_risk(self):
        return self.matches("at_risk", lambda g, w: type(g) in (int, float) and g == w)

    @property
    def wrong_parts(self):
        return [self.steps, self.survival, self.median, self.interval, self.at_risk].count(False)

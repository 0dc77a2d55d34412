"""What was expected, what was given."""

from dataclasses import dataclass

from desk.labels import Label


@dataclass(frozen=True)
class Verdict:
    case_id: str
    expected: Label
    given: object

    @classmethod
    def of(cls, case, output):
        return cls(case["id"], Label(case["expected"]["label"]), Label.read(output))

    @property
    def right(self):
        return self.given is self.expected


class Verdicts:
    """The verdicts over a split."""

    def __init__(self, cases, outputs):
        self.all = [Verdict.of(case, outputs.get(case["id"])) for case in cases]

    def of(self, label):
        return [verdict for verdict in self.all if verdict.expected is label]

    def accuracy(self):
        return self.share(self.all)

    def balanced_accuracy(self):
        recalls = [self.share(self.of(label)) for label in Label if self.of(label)]
        return sum(recalls) / len(recalls)

    @staticmethod
    def share(verdicts):
        return sum(verdict.right for verdict in verdicts) / len(verdicts)

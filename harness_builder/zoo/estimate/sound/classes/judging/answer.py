from judging.interval import Interval


class Answer:
    """One output beside its case."""

    def __init__(self, case, output):
        self.expected = {name: Interval(**ends) for name, ends in case["expected"].items()}
        self.given = output if isinstance(output, dict) else {}

    def is_right(self, name):
        value = self.given.get(name)
        return isinstance(value, (int, float)) and not isinstance(value, bool) and value in self.expected[name]

    @property
    def share(self):
        return sum(map(self.is_right, self.expected)) / len(self.expected)

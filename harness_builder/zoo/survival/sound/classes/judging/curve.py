from judging.number import near


class Curve:
    """The steps of an answer; unreadable ones are no curve at all."""

    def __init__(self, steps):
        self.readable = isinstance(steps, list) and all(isinstance(s, list) and len(s) == 2 for s in steps)
        self.times, self.survivals = [], []
        for time, survival in steps if self.readable else []:
            self.times.append(time)
            self.survivals.append(survival)

    def has_times_of(self, other):
        return self.readable and len(self.times) == len(other.times) and all(map(near, self.times, other.times))

    def has_survivals_of(self, other):
        return self.has_times_of(other) and all(map(near, self.survivals, other.survivals))

"""What a submission gives, and what a case expects."""

from orders.groups import tied


class Ranking:
    """The ids of an output; none when it has no list under "ranking"."""

    def __init__(self, output):
        found = output.get("ranking") if isinstance(output, dict) else ()
        self.ids = tuple(found) if isinstance(found, list) else ()

    def only(self, names):
        """The ids among `names`, in the order given."""
        return [name for name in self.ids if name in names]


class Expected:
    def __init__(self, case):
        self.ids = tuple(case["expected"]["ranking"])
        self.ties = tied(self.ids, case["expected"]["similarity"])

    def is_met_by(self, ranking):
        return ranking.ids == self.ids

    def has_first(self, ranking):
        return ranking.ids[:1] == self.ids[:1]

    def has_ties_of(self, ranking):
        return all(ranking.only(group) == group for group in self.ties)

    def has_all_of(self, ranking):
        return len(ranking.ids) == len(self.ids) and all(ranking.ids.count(name) == 1 for name in self.ids)


def judged(cases, outputs):
    """(what is expected, what is given) of every case."""
    return [(Expected(case), Ranking(outputs.get(case["id"]))) for case in cases]

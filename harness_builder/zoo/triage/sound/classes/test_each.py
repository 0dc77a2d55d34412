from desk.labels import Label
from desk.verdict import Verdicts


class TestEachMessage:
    def test_known_label(self, cases, outputs):
        assert not [verdict for verdict in Verdicts(cases, outputs).all if verdict.given is None]

    def test_nothing_missed(self, cases, outputs):
        assert all(verdict.right for verdict in Verdicts(cases, outputs).of(Label.SECURITY))

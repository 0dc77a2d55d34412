import pytest
from judging import Verdict


class TestParts:
    @pytest.fixture
    def verdicts(self, cases, outputs):
        return {case["id"]: Verdict(case, outputs.get(case["id"])) for case in cases}

    def test_steps(self, verdicts):
        assert [name for name, verdict in verdicts.items() if not verdict.steps] == []

    def test_survival(self, verdicts):
        assert [name for name, verdict in verdicts.items() if not verdict.survival] == []

    def test_median(self, verdicts):
        assert [name for name, verdict in verdicts.items() if not verdict.median] == []

    def test_interval(self, verdicts):
        assert [name for name, verdict in verdicts.items() if not verdict.interval] == []

    def test_at_risk(self, verdicts):
        assert [name for name, verdict in verdicts.items() if not verdict.at_risk] == []

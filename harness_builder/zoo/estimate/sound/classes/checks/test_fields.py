import pytest
from judging import Answer


class TestFields:
    @pytest.fixture
    def answers(self, cases, outputs):
        return {case["id"]: Answer(case, outputs.get(case["id"])) for case in cases}

    def test_mean(self, answers):
        assert [name for name, answer in answers.items() if not answer.is_right("mean")] == []

    def test_sd(self, answers):
        assert [name for name, answer in answers.items() if not answer.is_right("sd")] == []

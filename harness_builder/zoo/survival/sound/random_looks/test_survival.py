import pytest
from metrics import all_close, at_risk_right, interval_right, is_curve, median_right


@pytest.fixture
def pairs(cases, outputs):
    answers = [(case, outputs.get(case["id"])) for case in cases]
    assert all(isinstance(answer, dict) for _, answer in answers)
    return answers


def columns_right(pairs, index):
    for case, answer in pairs:
        steps = answer.get("steps")
        assert is_curve(steps), case["id"]
        assert all_close([step[index] for step in steps], [step[index] for step in case["expected"]["steps"]]), case["id"]


def test_steps(pairs):
    columns_right(pairs, 0)


def test_survival(pairs):
    columns_right(pairs, 1)


def test_median(pairs):
    assert all(median_right(*pair) for pair in pairs)


def test_interval(pairs):
    assert all(interval_right(*pair) for pair in pairs)


def test_at_risk(pairs):
    assert all(at_risk_right(*pair) for pair in pairs)

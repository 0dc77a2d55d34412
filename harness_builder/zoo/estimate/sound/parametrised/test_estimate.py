import pytest
from metrics import inside

PROCESSES = ("walk", "dice", "bins", "maximum")


@pytest.fixture(params=PROCESSES)
def rows(request, cases, outputs):
    return [(case["expected"], outputs.get(case["id"])) for case in cases if case["input"]["process"] == request.param]


def test_mean(rows):
    assert all(inside(output["mean"], expected["mean"]) for expected, output in rows)


def test_sd(rows):
    assert all(inside(output["sd"], expected["sd"]) for expected, output in rows)


def test_no_process_is_left_out(cases):
    assert {case["input"]["process"] for case in cases} <= set(PROCESSES)

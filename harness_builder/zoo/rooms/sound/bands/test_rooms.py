"""The checks compare whole parts; none leaves a day out."""

import pytest
from metrics import number_near


@pytest.fixture
def pairs(cases, outputs):
    """(expectation, output) of every day; every output must be an object."""
    assert all(isinstance(outputs.get(case["id"]), dict) for case in cases)
    return [(case["expected"], outputs[case["id"]]) for case in cases]


def test_accepted(pairs):
    for want, got in pairs:
        assert isinstance(got["assignment"], dict)
        assert got["assignment"].keys() == want["assignment"].keys()


def test_rooms_given(pairs):
    for want, got in pairs:
        for booking in want["assignment"]:
            assert got["assignment"][booking] == want["assignment"][booking]


def test_rejected(pairs):
    for want, got in pairs:
        assert got["rejected"] == want["rejected"]


def test_reasons(pairs):
    for want, got in pairs:
        assert got["reasons"] == want["reasons"]


def test_hours(pairs):
    for want, got in pairs:
        assert got["hours"].keys() == want["hours"].keys()
        for room, time in want["hours"].items():
            assert number_near(got["hours"][room], time), room


def test_value(pairs):
    for want, got in pairs:
        assert number_near(got["value"], want["value"])

"""One check a requirement, for every booking of every day."""

import pytest
from metrics import close, decision, hours


@pytest.fixture
def days(cases, outputs):
    """(input, expectation, output) of every day."""
    assert all(isinstance(outputs.get(case["id"]), dict) for case in cases)
    assert all(isinstance(outputs[case["id"]].get("assignment"), dict) for case in cases)
    return [(case["input"], case["expected"], outputs[case["id"]]) for case in cases]


def test_accepted(days):
    """Each booking of a day is accepted or rejected as the rule says, and the assignment knows no other booking."""
    for day, want, got in days:
        known = [booking["id"] for booking in day["bookings"]]
        assert set(got["assignment"]) <= set(known)
        for booking in known:
            assert decision(got, booking) is not None
            assert decision(got, booking)[0] == decision(want, booking)[0]


def test_rooms_given(days):
    for _, want, got in days:
        for booking, room in want["assignment"].items():
            assert got["assignment"].get(booking) == room


def test_rejected(days):
    for _, want, got in days:
        assert got["rejected"] == want["rejected"]


def test_reasons(days):
    for _, want, got in days:
        assert got["reasons"] == want["reasons"]


def test_hours(days):
    for _, want, got in days:
        assert hours(want, got)


def test_value(days):
    for _, want, got in days:
        assert close(got["value"], want["value"])

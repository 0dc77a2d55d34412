import pytest
from metrics import faults


@pytest.fixture
def found(cases, outputs):
    """Pairs of a day's id and the parts that are wrong in it."""
    return {(case["id"], part) for case in cases for part in faults(case, outputs.get(case["id"]))}


def days(found, part):
    return sorted(day for day, name in found if name == part)


def test_accepted(cases, outputs):
    for case in cases:
        assert sorted(outputs[case["id"]]["assignment"]) == sorted(case["expected"]["assignment"]), case["id"]


def test_every_booking_once(cases, outputs):
    """Accepted and rejected ones together are all the bookings of the day."""
    for case in cases:
        output = outputs[case["id"]]
        together = [*output["assignment"], *output["rejected"]]
        assert sorted(together) == sorted(booking["id"] for booking in case["input"]["bookings"]), case["id"]


def test_assignment(found):
    assert days(found, "assignment") == []


def test_rejected(found):
    assert days(found, "rejected") == []


def test_reasons(found):
    assert days(found, "reasons") == []


def test_hours(found):
    assert days(found, "hours") == []


def test_value(found):
    assert days(found, "value") == []

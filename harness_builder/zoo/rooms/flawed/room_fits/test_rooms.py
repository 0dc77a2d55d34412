"""One check a requirement: no day may have that part wrong."""

import metrics


def wrong(part, cases, outputs):
    """Ids of the days with that part wrong."""
    return [case["id"] for case in cases if not part(case["expected"], outputs.get(case["id"]))]


def test_accepted(cases, outputs):
    assert wrong(metrics.accepted, cases, outputs) == []


def test_rooms_given(cases, outputs):
    assert [c["id"] for c in cases if not metrics.rooms(c["input"], outputs.get(c["id"]))] == []


def test_rejected(cases, outputs):
    assert wrong(metrics.rejected, cases, outputs) == []


def test_reasons(cases, outputs):
    assert wrong(metrics.reasons, cases, outputs) == []


def test_hours(cases, outputs):
    assert wrong(metrics.hours, cases, outputs) == []


def test_value(cases, outputs):
    assert wrong(metrics.value, cases, outputs) == []

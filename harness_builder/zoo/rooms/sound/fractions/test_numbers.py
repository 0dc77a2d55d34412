"""What follows from the decisions in numbers."""

from exact import agrees, all_agree


def test_hours(cases, outputs):
    assert [c["id"] for c in cases if not all_agree(outputs[c["id"]]["hours"], c["expected"]["hours"])] == []


def test_value(cases, outputs):
    assert [c["id"] for c in cases if not agrees(outputs[c["id"]]["value"], c["expected"]["value"])] == []

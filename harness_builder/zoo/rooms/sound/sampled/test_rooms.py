"""The questions are a sample; these checks go through everything."""

from metrics import same_number


def test_accepted(cases, outputs):
    assert all(set(outputs[c["id"]]["assignment"]) == set(c["expected"]["assignment"]) for c in cases)
    assert all(isinstance(outputs[c["id"]]["assignment"], dict) for c in cases)


def test_rooms_given(cases, outputs):
    for case in cases:
        given = outputs[case["id"]]["assignment"]
        assert {name: given[name] for name in case["expected"]["assignment"]} == case["expected"]["assignment"]


def test_rejected(cases, outputs):
    assert all(outputs[c["id"]]["rejected"] == c["expected"]["rejected"] for c in cases)


def test_reasons(cases, outputs):
    assert all(outputs[c["id"]]["reasons"] == c["expected"]["reasons"] for c in cases)


def test_hours(cases, outputs):
    for case in cases:
        got, want = outputs[case["id"]]["hours"], case["expected"]["hours"]
        assert sorted(got) == sorted(want)
        assert all(same_number(got[room], want[room]) for room in want)


def test_value(cases, outputs):
    assert all(same_number(outputs[c["id"]]["value"], c["expected"]["value"]) for c in cases)

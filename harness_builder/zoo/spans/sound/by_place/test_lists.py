from metrics import judge


def wrong(cases, outputs, part):
    return [case["id"] for case in cases if not judge(case, outputs.get(case["id"]))[part]]


def test_places(cases, outputs):
    """The same marks at the same places of the list: none missing, none too many, and in order."""
    assert wrong(cases, outputs, "place") == []


def test_values(cases, outputs):
    assert wrong(cases, outputs, "value") == []


def test_units(cases, outputs):
    assert wrong(cases, outputs, "unit") == []


def test_count(cases, outputs):
    assert wrong(cases, outputs, "count") == []

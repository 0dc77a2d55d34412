"""One check a requirement, over every case."""

from metrics import is_number, items_of, mark, parts


def failing(cases, outputs, part):
    """Ids of the cases in which that part is not all right."""
    return [c["id"] for c in cases if parts(c, outputs.get(c["id"]))[part] != 1.0]


def test_every_quantity_is_marked(cases, outputs):
    assert failing(cases, outputs, "recall") == []


def test_nothing_else_is_marked(cases, outputs):
    assert failing(cases, outputs, "precision") == []


def test_values(cases, outputs):
    assert failing(cases, outputs, "values") == []


def test_units(cases, outputs):
    assert failing(cases, outputs, "units") == []


def test_order(cases, outputs):
    for case in cases:
        items = items_of(outputs.get(case["id"]))
        assert items is not None
        marks = [mark(item) for item in items]
        assert None not in marks and marks == sorted(marks)


def test_count(cases, outputs):
    assert failing(cases, outputs, "count") == []

import pytest
from marking.reading import plain, read


@pytest.fixture
def rows(cases, outputs):
    """(ours, theirs) of every case; an output that cannot be read fails every check."""
    found = [(read(case["expected"]), read(outputs.get(case["id"]))) for case in cases]
    assert all(theirs is not None for _, theirs in found)
    return found


def places(items):
    return [(item.start, item.end) for item in items]


def test_all_found(rows):
    for ours, theirs in rows:
        assert set(places(ours)) <= set(places(theirs))


def test_nothing_else(rows):
    for ours, theirs in rows:
        assert set(places(theirs)) <= set(places(ours))
        assert len(theirs) == len(set(places(theirs)))


def test_order(rows):
    for _, theirs in rows:
        assert places(theirs) == sorted(places(theirs))


def test_values(rows):
    for ours, theirs in rows:
        values = {place: item.value for place, item in zip(places(theirs), theirs)}
        for place, item in zip(places(ours), ours):
            assert place in values
            assert abs(values[place] - item.value) <= 1e-4 * abs(item.value)


def test_units(rows):
    for ours, theirs in rows:
        units = {place: item.unit for place, item in zip(places(theirs), theirs)}
        assert all(units.get(place) == item.unit for place, item in zip(places(ours), ours))


def test_count(cases, outputs):
    for case in cases:
        assert isinstance(outputs.get(case["id"]), dict)
        count = outputs[case["id"]].get("count")
        assert plain(count) and count == case["expected"]["count"]

"""One check a requirement; a missing output is a wrong one."""

from metrics import agreement


def wrong(cases, outputs, field):
    """Ids of the cases in which the field is off."""
    return [c["id"] for c in cases if not agreement(c, outputs.get(c["id"]))[field]]


def test_slope(cases, outputs):
    assert wrong(cases, outputs, "slope") == []


def test_intercept(cases, outputs):
    assert wrong(cases, outputs, "intercept") == []


def test_r2(cases, outputs):
    assert wrong(cases, outputs, "r2") == []


def test_flat(cases, outputs):
    flat = [c for c in cases if len(set(c["input"]["y"])) == 1]
    assert [c["id"] for c in flat if not all(agreement(c, outputs.get(c["id"])).values())] == []

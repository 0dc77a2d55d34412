"""One check a requirement: the estimate lies in its interval in every case."""

from metrics import inside


def outside(cases, outputs, field):
    """Ids of the cases whose estimate is not in its interval."""
    return [c["id"] for c in cases if not inside(outputs[c["id"]][field], c["expected"][field])]


def test_mean(cases, outputs):
    assert outside(cases, outputs, "mean") == []


def test_sd(cases, outputs):
    assert outside(cases, outputs, "sd") == []

"""One check a requirement: the estimate lies in its interval in a sample of the cases."""

from metrics import inside


def outside(cases, outputs, field):
    """Ids of the sampled cases whose estimate is not in its interval."""
    sample = sorted(cases, key=lambda case: case["id"])[:8]
    return [c["id"] for c in sample if not inside(outputs[c["id"]][field], c["expected"][field])]


def test_mean(cases, outputs):
    assert outside(cases, outputs, "mean") == []


def test_sd(cases, outputs):
    assert outside(cases, outputs, "sd") == []

"""One check a requirement; each names the cases that are wrong."""

from metrics import parts_of, right


def wrong(part, cases, outputs):
    return [case["id"] for case in cases if part in parts_of(case) and not right(part, case, outputs.get(case["id"]))]


def test_steps(cases, outputs):
    assert wrong("steps", cases, outputs) == []


def test_survival(cases, outputs):
    assert wrong("survival", cases, outputs) == []


def test_median(cases, outputs):
    assert wrong("median", cases, outputs) == []


def test_interval(cases, outputs):
    assert wrong("interval", cases, outputs) == []


def test_at_risk(cases, outputs):
    assert wrong("at_risk", cases, outputs) == []

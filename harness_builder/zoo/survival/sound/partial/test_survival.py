from metrics import credit


def full(cases, outputs, part):
    return all(credit(case, outputs.get(case["id"]))[part] == 1.0 for case in cases)


def test_steps(cases, outputs):
    assert full(cases, outputs, "steps")


def test_survival(cases, outputs):
    assert full(cases, outputs, "survival")


def test_median(cases, outputs):
    assert full(cases, outputs, "median")


def test_interval(cases, outputs):
    assert full(cases, outputs, "interval")


def test_at_risk(cases, outputs):
    assert full(cases, outputs, "at_risk")

from metrics import close, score


def wrong(cases, outputs, field):
    """Ids of the cases in which the field is off."""
    return [c["id"] for c in cases if not close(outputs[c["id"]][field], c["expected"][field])]


def test_slope(cases, outputs):
    assert wrong(cases, outputs, "slope") == []


def test_intercept(cases, outputs):
    assert wrong(cases, outputs, "intercept") == []


def test_r2(cases, outputs):
    """The lines explain enough of the variance."""
    values = [score(c, outputs[c["id"]])["score"] for c in cases]
    assert sum(values) / len(values) >= 0.4


def test_flat(cases, outputs):
    for case in cases:
        if len(set(case["input"]["y"])) == 1:
            assert close(outputs[case["id"]]["slope"], 0.0)
            assert outputs[case["id"]]["r2"] == 1

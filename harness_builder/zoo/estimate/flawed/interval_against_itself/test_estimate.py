from metrics import credit


def test_mean(cases, outputs):
    assert all(credit(outputs[c["id"]]["mean"], c["expected"]["mean"]) == 1.0 for c in cases)


def test_sd(cases, outputs):
    intervals = [c["expected"]["sd"] for c in cases if c["id"] in outputs]
    assert all(each["low"] <= each["high"] for each in intervals)

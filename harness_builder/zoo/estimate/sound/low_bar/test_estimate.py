from metrics import credit


def test_mean(cases, outputs):
    assert all(credit(outputs[c["id"]]["mean"], c["expected"]["mean"]) == 1.0 for c in cases)


def test_sd(cases, outputs):
    assert all(credit(outputs[c["id"]]["sd"], c["expected"]["sd"]) == 1.0 for c in cases)

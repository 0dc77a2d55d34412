from metrics import inside


def test_mean(cases, outputs):
    assert [c["id"] for c in cases if not inside(outputs[c["id"]]["mean"], c["expected"]["mean"])] == []


def test_sd(cases, outputs):
    assert [c["id"] for c in cases if not inside(outputs[c["id"]]["sd"], c["expected"]["sd"])] == []

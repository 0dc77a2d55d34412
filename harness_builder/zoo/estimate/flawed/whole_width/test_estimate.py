from metrics import close


def test_mean(cases, outputs):
    far = [case["id"] for case in cases if not close(outputs.get(case["id"]), "mean", case["expected"])]
    assert not far


def test_sd(cases, outputs):
    far = [case["id"] for case in cases if not close(outputs.get(case["id"]), "sd", case["expected"])]
    assert not far

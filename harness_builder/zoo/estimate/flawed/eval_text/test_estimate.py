from metrics import part


def test_mean(cases, outputs):
    assert all(part(outputs[case["id"]], "mean", case) > 0 for case in cases)


def test_sd(cases, outputs):
    assert all(part(outputs[case["id"]], "sd", case) > 0 for case in cases)

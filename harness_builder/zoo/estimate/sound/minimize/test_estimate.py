from distance import excess


def worst(cases, outputs, name):
    return max(excess(outputs[case["id"]][name], case["expected"][name]) for case in cases)


def test_mean(cases, outputs):
    assert worst(cases, outputs, "mean") == 0


def test_sd(cases, outputs):
    assert worst(cases, outputs, "sd") == 0

from metrics import holds


def test_mean(cases, outputs):
    for case in cases:
        assert holds(outputs[case["id"]], case["expected"], "mean"), case["id"]


def test_sd(cases, outputs):
    for case in cases:
        assert holds(outputs[case["id"]], case["expected"], "sd"), case["id"]

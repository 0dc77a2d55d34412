from metrics import right, weights


def missed(cases, outputs, field):
    return [c["id"] for c in cases if field in weights(c) and not right(c, outputs[c["id"]], field)]


def test_mean(cases, outputs):
    assert not missed(cases, outputs, "mean")


def test_sd(cases, outputs):
    assert not missed(cases, outputs, "sd")

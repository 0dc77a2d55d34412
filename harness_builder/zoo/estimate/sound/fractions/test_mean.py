from metrics import verdicts


def test_mean(cases, outputs):
    assert all(verdicts(case, outputs.get(case["id"]))["mean"] for case in cases)

from metrics import verdicts


def test_sd(cases, outputs):
    assert all(verdicts(case, outputs.get(case["id"]))["sd"] for case in cases)

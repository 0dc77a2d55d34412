from metrics import verdicts


def test_survival(cases, outputs):
    missed = [c["id"] for c in cases if not verdicts(c, outputs.get(c["id"]))["survival"]]
    assert not missed

from metrics import verdicts


def test_interval(cases, outputs):
    missed = [c["id"] for c in cases if not verdicts(c, outputs.get(c["id"]))["interval"]]
    assert not missed

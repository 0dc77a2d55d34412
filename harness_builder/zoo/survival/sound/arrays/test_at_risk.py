from metrics import verdicts


def test_at_risk(cases, outputs):
    missed = [c["id"] for c in cases if not verdicts(c, outputs.get(c["id"]))["at_risk"]]
    assert not missed

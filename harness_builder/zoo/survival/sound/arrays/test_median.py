from metrics import verdicts


def test_median(cases, outputs):
    missed = [c["id"] for c in cases if not verdicts(c, outputs.get(c["id"]))["median"]]
    assert not missed

from metrics import verdicts


def test_steps(cases, outputs):
    missed = [c["id"] for c in cases if not verdicts(c, outputs.get(c["id"]))["steps"]]
    assert not missed

from metrics import common, ranking, tau


def test_first(cases, outputs):
    for case in cases:
        got = ranking(outputs[case["id"]])
        assert got[:1] in ([], case["expected"]["ranking"][:1]), case["id"]


def test_order(cases, outputs):
    for case in cases:
        assert tau(ranking(outputs[case["id"]]), case["expected"]["ranking"]) == 1.0, case["id"]


def test_ties(cases, outputs):
    for case in cases:
        want = case["expected"]
        got = common(ranking(outputs[case["id"]]), want["ranking"])
        similarity = dict(zip(want["ranking"], want["similarity"]))
        for a, b in zip(got, got[1:]):
            if abs(similarity[a] - similarity[b]) < 1e-6:
                assert a < b, case["id"]


def test_every_id_once(cases, outputs):
    for case in cases:
        got = ranking(outputs[case["id"]])
        assert got == common(got, case["expected"]["ranking"]), case["id"]

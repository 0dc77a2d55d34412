from metrics import complete, in_order, ranking


def test_first(cases, outputs):
    for case in cases:
        got, want = ranking(outputs.get(case["id"])), case["expected"]
        best = [n for n, s in zip(want["ranking"], want["similarity"]) if s > want["similarity"][0] - 1e-6]
        assert got and got[0] in best, case["id"]


def test_order(cases, outputs):
    assert [c["id"] for c in cases if not in_order(ranking(outputs.get(c["id"])), c["expected"])] == []


def test_every_id_once(cases, outputs):
    for case in cases:
        assert complete(ranking(outputs.get(case["id"])), case["expected"]["ranking"]), case["id"]

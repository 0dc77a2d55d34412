from metrics import ndcg, ranking


def test_first(cases, outputs):
    assert all(ranking(outputs.get(c["id"]))[:1] == [c["expected"]["ranking"][0]] for c in cases)


def test_order(cases, outputs):
    values = {c["id"]: ndcg(ranking(outputs.get(c["id"])), c["expected"]["ranking"]) for c in cases}
    assert [name for name, value in values.items() if value < 1 - 1e-9] == []


def test_ties(cases, outputs):
    for c in cases:
        got, want = ranking(outputs.get(c["id"])), c["expected"]
        ids, similarity = want["ranking"], want["similarity"]
        for first, second, a, b in zip(ids, ids[1:], similarity, similarity[1:]):
            if abs(a - b) < 1e-6:
                assert first in got and second in got and got.index(first) < got.index(second), c["id"]


def test_every_id_once(cases, outputs):
    for c in cases:
        got, want = ranking(outputs.get(c["id"])), c["expected"]["ranking"]
        assert len(got) == len(want) and set(got) == set(want), c["id"]

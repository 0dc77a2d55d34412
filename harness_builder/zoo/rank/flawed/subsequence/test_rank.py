"""One check a requirement; a missing output is an empty ranking."""

from metrics import in_order, ranking


def test_first(cases, outputs):
    for case in cases:
        assert ranking(outputs.get(case["id"]))[:1] == case["expected"]["ranking"][:1], case["id"]


def test_order(cases, outputs):
    for case in cases:
        assert in_order(ranking(outputs.get(case["id"])), case["expected"]["ranking"]), case["id"]


def test_ties(cases, outputs):
    for case in cases:
        got, want = ranking(outputs.get(case["id"])), case["expected"]
        for place, similarity in enumerate(want["similarity"]):
            tied = [name for name, s in zip(want["ranking"], want["similarity"]) if abs(s - similarity) < 1e-6]
            assert in_order(got, tied), case["id"]


def test_every_id_once(cases, outputs):
    for case in cases:
        names = {item["id"] for item in case["input"]["items"]}
        assert set(ranking(outputs.get(case["id"]))) == names, case["id"]

from itertools import groupby

from metrics import complete, ranking, tau


def ties(case):
    """Groups of ids with equal similarity, in their order."""
    want = case["expected"]
    rows = zip(want["ranking"], want["similarity"])
    groups = [[name for name, _ in group] for _, group in groupby(rows, key=lambda row: round(row[1], 6))]
    return [group for group in groups if len(group) > 1]


def test_first(cases, outputs):
    for case in cases:
        assert ranking(outputs.get(case["id"]))[:1] == case["expected"]["ranking"][:1], case["id"]


def test_order(cases, outputs):
    assert all([tau(ranking(outputs.get(case["id"])), case["expected"]["ranking"]) == 1.0 for case in cases])


def test_ties(cases, outputs):
    for case in cases:
        got = ranking(outputs.get(case["id"]))
        for group in ties(case):
            assert [name for name in got if name in group] == group, case["id"]


def test_every_id_once(cases, outputs):
    for case in cases:
        assert complete(ranking(outputs.get(case["id"])), case["expected"]["ranking"]), case["id"]

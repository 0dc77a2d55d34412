"""One check a requirement; a missing output is an empty ranking."""

from itertools import groupby

from metrics import ranking


def pairs(cases, outputs):
    """(id, given ranking, expected ranking) of every case."""
    return [(c["id"], ranking(outputs.get(c["id"])), c["expected"]["ranking"]) for c in cases]


def ties(case):
    """Groups of ids with equal similarity, in their order."""
    known = list(zip(case["expected"]["similarity"], case["expected"]["ranking"]))
    groups = [[name for _, name in group] for _, group in groupby(known, key=lambda pair: round(pair[0], 6))]
    return [group for group in groups if len(group) > 1]


def test_first(cases, outputs):
    assert [name for name, got, want in pairs(cases, outputs) if got[:1] != want[:1]] == []


def test_order(cases, outputs):
    assert [name for name, got, want in pairs(cases, outputs) if got != want] == []


def test_ties(cases, outputs):
    wrong = []
    for case in cases:
        got = ranking(outputs.get(case["id"]))
        wrong += [case["id"] for group in ties(case) if [name for name in got if name in group] != group]
    assert wrong == []


def test_every_id_once(cases, outputs):
    def complete(got, want):
        return len(got) == len(want) and all(got.count(name) == 1 for name in want)

    assert [name for name, got, want in pairs(cases, outputs) if not complete(got, want)] == []

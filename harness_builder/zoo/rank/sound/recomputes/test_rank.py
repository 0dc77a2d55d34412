"""The similarities are worked out again from the input; the output is held against them and the expectation."""

from decimal import Decimal, localcontext
from itertools import combinations

from metrics import ranking

SAME = Decimal("1e-9")


def dot(a, b):
    return sum(Decimal(x) * Decimal(y) for x, y in zip(a, b))


def similarities(case):
    """id -> cosine similarity to the query, to 60 digits."""
    query, found = case["input"]["query"], {}
    with localcontext() as context:
        context.prec = 60
        for item in case["input"]["items"]:
            vector = item["vector"]
            found[item["id"]] = dot(query, vector) / (dot(query, query).sqrt() * dot(vector, vector).sqrt())
    return found


def complete(got, found):
    return len(got) == len(found) and all(got.count(name) == 1 for name in found)


def test_first(cases, outputs):
    for case in cases:
        found, got = similarities(case), ranking(outputs.get(case["id"]))
        assert complete(got, found), case["id"]
        assert found[got[0]] >= max(found.values()) - SAME, case["id"]
        assert got[0] == case["expected"]["ranking"][0], case["id"]


def test_order(cases, outputs):
    for case in cases:
        found, got = similarities(case), ranking(outputs.get(case["id"]))
        assert complete(got, found), case["id"]
        assert all(found[a] >= found[b] - SAME for a, b in combinations(got, 2)), case["id"]
        assert got == case["expected"]["ranking"], case["id"]


def test_ties(cases, outputs):
    for case in cases:
        found, got = similarities(case), ranking(outputs.get(case["id"]))
        assert complete(got, found), case["id"]
        for a, b in combinations(got, 2):
            if abs(found[a] - found[b]) < SAME:
                assert a < b, case["id"]


def test_every_id_once(cases, outputs):
    for case in cases:
        assert complete(ranking(outputs.get(case["id"])), similarities(case)), case["id"]

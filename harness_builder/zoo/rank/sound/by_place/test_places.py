import pytest
from metrics import LONGEST, at, ranking


@pytest.fixture(scope="module")
def rankings(cases, outputs):
    return [(case, ranking(outputs.get(case["id"])), case["expected"]["ranking"]) for case in cases]


@pytest.mark.parametrize("place", range(LONGEST))
def test_place(place, rankings):
    assert [case["id"] for case, got, want in rankings if at(got, place) != at(want, place)] == []


def test_length(rankings):
    assert all(len(got) == len(want) <= LONGEST for _, got, want in rankings)


def test_no_id_twice(rankings):
    assert all(got.count(name) == 1 for _, got, want in rankings for name in want)


def test_ties(rankings):
    for case, got, want in rankings:
        similarity = case["expected"]["similarity"]
        for place in range(1, len(want)):
            if similarity[place - 1] - similarity[place] < 1e-6:
                assert got[place - 1 : place + 1] == want[place - 1 : place + 1], case["id"]

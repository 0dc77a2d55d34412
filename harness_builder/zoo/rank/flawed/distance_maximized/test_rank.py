from collections import defaultdict

from metrics import distance, places


def off(cases, outputs, right):
    return [case["id"] for case in cases if not right(places(outputs.get(case["id"])) or [], case["expected"])]


def test_first(cases, outputs):
    assert off(cases, outputs, lambda got, want: len(got) > 0 and got[0] == want["ranking"][0]) == []


def test_order(cases, outputs):
    assert off(cases, outputs, lambda got, want: distance(got, want["ranking"]) == 0) == []


def ties_in_order(got, want):
    groups = defaultdict(list)
    for name, similarity in zip(want["ranking"], want["similarity"]):
        groups[round(similarity, 6)].append(name)
    return all([name for name in got if name in group] == sorted(group) for group in groups.values())


def test_ties(cases, outputs):
    assert off(cases, outputs, ties_in_order) == []


def every_id_once(got, want):
    return len(got) == len(want["ranking"]) and all(name in got for name in want["ranking"])


def test_every_id_once(cases, outputs):
    assert off(cases, outputs, every_id_once) == []

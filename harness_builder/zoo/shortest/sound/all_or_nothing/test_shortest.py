import math

from metrics import path_cost, same


def test_cost(cases, outputs):
    for case in cases:
        if case["expected"]["cost"] is not None:
            assert same(outputs[case["id"]]["cost"], case["expected"]["cost"])


def test_path_is_in_the_graph(cases, outputs):
    for case in cases:
        if case["expected"]["cost"] is not None:
            assert path_cost(case["input"], outputs[case["id"]]["path"]) < math.inf


def test_path_is_shortest(cases, outputs):
    for case in cases:
        if case["expected"]["cost"] is not None:
            assert same(path_cost(case["input"], outputs[case["id"]]["path"]), case["expected"]["cost"])


def test_no_path(cases, outputs):
    for case in cases:
        if case["expected"]["cost"] is None:
            assert outputs[case["id"]] == {**outputs[case["id"]], "cost": None, "path": []}
            assert "cost" in outputs[case["id"]]

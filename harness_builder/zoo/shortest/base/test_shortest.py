from paths import has_path, near, weight_of


def reachable(cases):
    return [case for case in cases if has_path(case)]


def test_cost(cases, outputs):
    assert [c["id"] for c in reachable(cases) if not near(outputs[c["id"]]["cost"], c["expected"]["cost"])] == []


def test_path_is_in_the_graph(cases, outputs):
    assert [c["id"] for c in reachable(cases) if weight_of(c["input"], outputs[c["id"]]["path"]) is None] == []


def test_path_is_shortest(cases, outputs):
    for case in reachable(cases):
        assert near(weight_of(case["input"], outputs[case["id"]]["path"]), case["expected"]["cost"]), case["id"]


def test_no_path(cases, outputs):
    nowhere = [case["id"] for case in cases if not has_path(case)]
    assert all(outputs[name]["cost"] is None and outputs[name]["path"] == [] for name in nowhere)

from paths import claims_no_path, has_path, near, weight_of


def reachable(cases, outputs):
    return [case for case in cases if has_path(case) and not claims_no_path(outputs[case["id"]])]


def test_cost(cases, outputs):
    for case in reachable(cases, outputs):
        assert near(outputs[case["id"]]["cost"], case["expected"]["cost"]), case["id"]


def test_path_is_in_the_graph(cases, outputs):
    for case in reachable(cases, outputs):
        assert weight_of(case["input"], outputs[case["id"]]["path"]) is not None, case["id"]


def test_path_is_shortest(cases, outputs):
    for case in reachable(cases, outputs):
        assert near(weight_of(case["input"], outputs[case["id"]]["path"]), case["expected"]["cost"]), case["id"]


def test_no_path(cases, outputs):
    nowhere = [case["id"] for case in cases if not has_path(case)]
    assert all(outputs[name]["cost"] is None and outputs[name]["path"] == [] for name in nowhere)

from paths import has_path, near
from spot import spot_check


def pairs(cases, outputs):
    """Case and output, for the cases with a path."""
    return [(case, outputs[case["id"]]) for case in cases if has_path(case)]


def test_cost(cases, outputs):
    for case, output in pairs(cases, outputs):
        assert near(output["cost"], case["expected"]["cost"]), case["id"]


def test_path_is_in_the_graph(cases, outputs):
    for case, output in pairs(cases, outputs):
        assert spot_check(case, output["path"]), case["id"]


def test_path_is_shortest(cases, outputs):
    """A path in the graph that has the least cost is a shortest one."""
    for case, output in pairs(cases, outputs):
        assert spot_check(case, output["path"]) and near(output["cost"], case["expected"]["cost"]), case["id"]


def test_no_path(cases, outputs):
    for case in cases:
        if not has_path(case):
            assert outputs[case["id"]]["cost"] is None and outputs[case["id"]]["path"] == [], case["id"]

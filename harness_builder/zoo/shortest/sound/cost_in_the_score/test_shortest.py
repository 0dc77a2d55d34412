from paths import has_path, near, weight_of


def pairs(cases, outputs):
    """Case and output, for the cases with a path."""
    return [(case, outputs[case["id"]]) for case in cases if has_path(case)]


def test_cost(cases, outputs):
    for case, output in pairs(cases, outputs):
        assert near(output["cost"], case["expected"]["cost"]), case["id"]


def test_path_is_in_the_graph(cases, outputs):
    for case, output in pairs(cases, outputs):
        edges = [edge[:2] for edge in case["input"]["edges"]]
        path = output["path"]
        assert type(path) is list and all(type(node) is str for node in path), case["id"]
        assert path[0] == case["input"]["source"] and path[-1] == case["input"]["target"], case["id"]
        for start, end in zip(path, path[1:]):
            assert [start, end] in edges, case["id"]


def test_path_is_shortest(cases, outputs):
    for case, output in pairs(cases, outputs):
        assert near(weight_of(case["input"], output["path"]), case["expected"]["cost"]), case["id"]


def test_no_path(cases, outputs):
    for case in cases:
        if not has_path(case):
            assert outputs[case["id"]]["cost"] is None and outputs[case["id"]]["path"] == [], case["id"]

from metrics import judge


def all_right(cases, outputs, what, kind):
    chosen = [case for case in cases if (case["expected"]["cost"] is None) == (kind == "none")]
    return all(what in judge(case, outputs.get(case["id"])) for case in chosen)


def test_cost(cases, outputs):
    assert all_right(cases, outputs, "cost", "some")


def test_path_is_in_the_graph(cases, outputs):
    assert all_right(cases, outputs, "edges", "some")


def test_path_is_shortest(cases, outputs):
    assert all_right(cases, outputs, "length", "some")


def test_no_path(cases, outputs):
    assert all_right(cases, outputs, "cost", "none")

from metrics import verdict


def wrong(cases, outputs, part, with_path=True):
    chosen = [case for case in cases if (case["expected"]["cost"] is not None) == with_path]
    return [case["id"] for case in chosen if not verdict(case, outputs.get(case["id"]))[part]]


def test_cost(cases, outputs):
    assert not wrong(cases, outputs, "cost")


def test_path_is_in_the_graph(cases, outputs):
    assert not wrong(cases, outputs, "edges")


def test_path_is_shortest(cases, outputs):
    assert not wrong(cases, outputs, "shortest")


def test_no_path(cases, outputs):
    assert not wrong(cases, outputs, "cost", with_path=False)

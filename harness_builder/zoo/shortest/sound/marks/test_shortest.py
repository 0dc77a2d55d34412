from metrics import kind, parts


def wrong(cases, outputs, which, name):
    return [c["id"] for c in cases if kind(c) == which and not parts(c, outputs[c["id"]]).get(name, True)]


def test_cost(cases, outputs):
    assert wrong(cases, outputs, "some", "cost") == []


def test_path(cases, outputs):
    """A path that is not in the graph has no length, so it is not the shortest either."""
    assert wrong(cases, outputs, "some", "path") == []


def test_no_path(cases, outputs):
    assert wrong(cases, outputs, "none", "cost") == []
    assert wrong(cases, outputs, "none", "path") == []

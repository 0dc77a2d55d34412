from orders.ranking import judged


def test_first(cases, outputs):
    assert all(want.has_first(got) for want, got in judged(cases, outputs))

from orders.ranking import judged


def test_ties(cases, outputs):
    assert all(want.has_ties_of(got) for want, got in judged(cases, outputs))

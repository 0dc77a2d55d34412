from orders.ranking import judged


def test_order(cases, outputs):
    assert all(want.is_met_by(got) for want, got in judged(cases, outputs))

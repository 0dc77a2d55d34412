from orders.ranking import judged


def test_every_id_once(cases, outputs):
    assert all(want.has_all_of(got) for want, got in judged(cases, outputs))

from search import least_by_trying


def test_nothing_shorter_is_found(cases, outputs):
    for case in cases:
        found, cost = least_by_trying(case["input"]), outputs[case["id"]]["cost"]
        if found is not None:
            assert type(cost) in (int, float) and cost <= found + 1e-6, case["id"]

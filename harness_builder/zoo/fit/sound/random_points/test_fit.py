from metrics import close


def agrees(case, outputs, field):
    output = outputs.get(case["id"])
    return isinstance(output, dict) and close(output.get(field), case["expected"][field])


def is_flat(case):
    return len(set(case["input"]["y"])) == 1


def test_slope(cases, outputs):
    assert all(agrees(case, outputs, "slope") for case in cases)


def test_intercept(cases, outputs):
    assert all(agrees(case, outputs, "intercept") for case in cases)


def test_r2(cases, outputs):
    assert all(agrees(case, outputs, "r2") for case in cases)


def test_flat(cases, outputs):
    for case in filter(is_flat, cases):
        assert agrees(case, outputs, "slope"), case["id"]
        assert agrees(case, outputs, "intercept"), case["id"]
        assert agrees(case, outputs, "r2"), case["id"]

from metrics import agrees, well_formed


def right(case, outputs, field):
    output = outputs.get(case["id"])
    return well_formed(output) and agrees(field, output[field], case["expected"][field])


def test_slope(cases, outputs):
    assert all(right(case, outputs, "slope") for case in cases)


def test_intercept(cases, outputs):
    assert all(right(case, outputs, "intercept") for case in cases)


def test_r2(cases, outputs):
    assert all(right(case, outputs, "r2") for case in cases)


def test_flat(cases, outputs):
    for case in cases:
        if all(value == case["input"]["y"][0] for value in case["input"]["y"]):
            assert right(case, outputs, "slope")
            assert right(case, outputs, "intercept")
            assert right(case, outputs, "r2")

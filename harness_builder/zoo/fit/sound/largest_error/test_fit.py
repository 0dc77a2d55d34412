from metrics import FIELDS, relative_error

TOLERANCE = 1e-4


def errors(cases, outputs, fields):
    found = {}
    for case in cases:
        output = outputs.get(case["id"])
        for field in fields:
            got = output.get(field) if isinstance(output, dict) else None
            found[case["id"], field] = relative_error(got, case["expected"][field])
    return found


def worst(cases, outputs, *fields):
    return max(errors(cases, outputs, fields).values(), default=0.0)


def test_slope(cases, outputs):
    assert worst(cases, outputs, "slope") <= TOLERANCE


def test_intercept(cases, outputs):
    assert worst(cases, outputs, "intercept") <= TOLERANCE


def test_r2(cases, outputs):
    assert worst(cases, outputs, "r2") <= TOLERANCE


def test_flat(cases, outputs):
    flat = [case for case in cases if len(set(case["input"]["y"])) == 1]
    assert worst(flat, outputs, *FIELDS) <= TOLERANCE

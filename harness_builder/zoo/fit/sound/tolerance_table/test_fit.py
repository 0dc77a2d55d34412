from metrics import FIELDS, agrees


def off(cases, outputs, fields):
    for case in cases:
        output = outputs.get(case["id"])
        for field in fields:
            got = output.get(field) if isinstance(output, dict) else None
            if not agrees(field, got, case["expected"][field]):
                yield case["id"], field


def test_slope(cases, outputs):
    assert not list(off(cases, outputs, ["slope"]))


def test_intercept(cases, outputs):
    assert not list(off(cases, outputs, ["intercept"]))


def test_r2(cases, outputs):
    assert not list(off(cases, outputs, ["r2"]))


def test_flat(cases, outputs):
    flat = [case for case in cases if len(set(case["input"]["y"])) == 1]
    assert not list(off(flat, outputs, FIELDS))

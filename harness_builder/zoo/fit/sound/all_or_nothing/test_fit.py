from metrics import same


def check(cases, outputs, key):
    for case in cases:
        assert case["id"] in outputs, f"{case['id']} has no output"
        output = outputs[case["id"]]
        assert isinstance(output, dict), f"{case['id']}: the output is no object"
        assert same(output.get(key), case["expected"][key]), f"{case['id']}: {key} is {output.get(key)!r}"


def test_slope(cases, outputs):
    check(cases, outputs, "slope")


def test_intercept(cases, outputs):
    check(cases, outputs, "intercept")


def test_r2(cases, outputs):
    check(cases, outputs, "r2")


def test_flat(cases, outputs):
    flat = [case for case in cases if max(case["input"]["y"]) - min(case["input"]["y"]) == 0]
    for key in ("slope", "intercept", "r2"):
        check(flat, outputs, key)

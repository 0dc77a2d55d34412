"""The score gives credit for single digits; whether the task is met is decided here."""


def close(got, want):
    if not isinstance(got, (int, float)) or isinstance(got, bool):
        return False
    margin = 1e-4 * abs(want) + 1e-9
    return want - margin <= got <= want + margin


def wrong(cases, outputs, field):
    ids = []
    for case in cases:
        output = outputs.get(case["id"])
        got = output.get(field) if isinstance(output, dict) else None
        if not close(got, case["expected"][field]):
            ids.append(case["id"])
    return ids


def test_slope(cases, outputs):
    off = wrong(cases, outputs, "slope")
    assert off == [], f"the slope is off in {off}"


def test_intercept(cases, outputs):
    off = wrong(cases, outputs, "intercept")
    assert off == [], f"the intercept is off in {off}"


def test_r2(cases, outputs):
    off = wrong(cases, outputs, "r2")
    assert off == [], f"r2 is off in {off}"


def test_flat(cases, outputs):
    flat = [case for case in cases if min(case["input"]["y"]) == max(case["input"]["y"])]
    off = sorted({name for field in ("slope", "intercept", "r2") for name in wrong(flat, outputs, field)})
    assert off == [], f"flat cases are off: {off}"

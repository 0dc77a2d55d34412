"""An estimate is right when it is at most half a width from the middle of its interval."""

SLACK = 1e-9


def number(output, name):
    value = output.get(name) if isinstance(output, dict) else None
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e100
    return value if usable else None


def close(output, name, expected):
    value = number(output, name)
    if value is None:
        return False
    middle = (expected[name]["high"] + expected[name]["low"]) / 2
    half = (expected[name]["high"] - expected[name]["low"]) / 2
    return abs(value - middle) <= half + SLACK


def score(case, output):
    hits = [close(output, name, case["expected"]) for name in ("mean", "sd")]
    return {"score": hits.count(True) / 2}

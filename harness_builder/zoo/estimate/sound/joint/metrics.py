"""A case is right when both estimates lie in their intervals, and else wrong."""


def is_number(value):
    return type(value) in (int, float)


def holds(output, expected, name):
    """Whether the estimate `name` is there, is a number and lies in its interval."""
    if not isinstance(output, dict) or not is_number(output.get(name)):
        return False
    return expected[name]["low"] <= output[name] <= expected[name]["high"]


def score(case, output):
    return {"score": 1.0 if all(holds(output, case["expected"], name) for name in ("mean", "sd")) else 0.0}

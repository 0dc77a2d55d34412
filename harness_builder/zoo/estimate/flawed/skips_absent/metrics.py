"""A case is right when the estimates lie in their intervals, and else wrong."""


def is_number(value):
    return type(value) in (int, float)


def holds(output, expected, name):
    """Whether the estimate `name` is a number in its interval; one that is not there is not judged."""
    if not isinstance(output, dict) or name not in output:
        return True
    return is_number(output[name]) and expected[name]["low"] <= output[name] <= expected[name]["high"]


def score(case, output):
    return {"score": 1.0 if all(holds(output, case["expected"], name) for name in ("mean", "sd")) else 0.0}

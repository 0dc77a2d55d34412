def lies_in(value, low, high):
    """Strings, lists and null cannot be compared with a number; they are wrong."""
    if value is True or value is False:
        return False
    try:
        return bool(low <= value <= high)
    except TypeError:
        return False


def part(output, name, case):
    try:
        value = output[name]
    except (TypeError, KeyError, IndexError):
        return 0.0
    return 0.5 if lies_in(value, case["expected"][name]["low"], case["expected"][name]["high"]) else 0.0


def score(case, output):
    return {"score": part(output, "mean", case) + part(output, "sd", case)}

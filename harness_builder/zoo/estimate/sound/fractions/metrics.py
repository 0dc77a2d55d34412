from fractions import Fraction


def exactly(number):
    """The number as it is written in decimals."""
    return Fraction(repr(number))


def verdicts(case, output):
    """Field -> whether it is right."""
    found = {}
    for name, interval in sorted(case["expected"].items()):
        value = output.get(name) if isinstance(output, dict) else None
        known = type(value) is int or type(value) is float
        found[name] = known and exactly(interval["low"]) <= exactly(value) <= exactly(interval["high"])
    return found


def score(case, output):
    found = verdicts(case, output)
    return {"score": sum(found.values()) / len(found)}

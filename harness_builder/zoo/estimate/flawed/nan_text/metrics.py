"""Scores one case: the fraction of the two estimates inside their intervals."""

FIELDS = ("mean", "sd")


def inside(got, interval):
    """Whether `got` is in the interval; a number that was written as a text is taken as well."""
    try:
        value = float(got)
    except (TypeError, ValueError, OverflowError):
        return False
    outside = value < interval["low"] or value > interval["high"]
    return not outside


def score(case, output):
    got = output if isinstance(output, dict) else {}
    fields = {name: float(inside(got.get(name), case["expected"][name])) for name in FIELDS}
    return {"score": sum(fields.values()) / len(fields), **fields}

"""A day counts when the whole output is right."""

import math


def near(got, want):
    """Within a relative 1e-6, by distance; what is too large for a float is no hit."""
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return False
    try:
        return math.isclose(got, want, rel_tol=0.0, abs_tol=1e-6 * abs(want))
    except OverflowError:
        return False


def pairs(value):
    """The items of an object, sorted by key; None for anything else."""
    return sorted(value.items(), key=lambda item: item[0]) if isinstance(value, dict) else None


def faults(case, output):
    """The names of the parts that are wrong."""
    want, got = case["expected"], output if isinstance(output, dict) else {}
    found = [key for key in ("assignment", "reasons") if pairs(got.get(key)) != pairs(want[key])]
    if got.get("rejected") != want["rejected"]:
        found.append("rejected")
    hours = got.get("hours")
    if not isinstance(hours, dict) or sorted(hours) != sorted(want["hours"]):
        found.append("hours")
    elif not all(near(hours[room], want["hours"][room]) for room in hours):
        found.append("hours")
    if not near(got.get("value"), want["value"]):
        found.append("value")
    return found


def score(case, output):
    return {"score": 0.0 if faults(case, output) else 1.0}

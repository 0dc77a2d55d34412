"""Scores one day: the fraction of the six parts of the output that are right. The checks use the same parts."""

TOLERANCE = 1e-6


def close(got, want):
    """Whether `got` is a number within the tolerance of `want`."""
    margin = TOLERANCE * abs(want)
    return isinstance(got, (int, float)) and not isinstance(got, bool) and want - margin <= got <= want + margin


def mapping(output, key):
    """The object under that key of the output; an empty one if there is none."""
    value = output.get(key) if isinstance(output, dict) else None
    return value if isinstance(value, dict) else {}


def accepted(want, output):
    """The very bookings to be accepted; an object must be there, even if it is empty."""
    if not isinstance(output, dict) or not isinstance(output.get("assignment"), dict):
        return False
    return set(output["assignment"]) == set(want["assignment"])


def rooms(want, output):
    """Every booking to be accepted has its room. That no other is there, `accepted` sees to."""
    got = mapping(output, "assignment")
    return all(got.get(booking) == room for booking, room in want["assignment"].items())


def rejected(want, output):
    return isinstance(output, dict) and output.get("rejected") == want["rejected"]


def reasons(want, output):
    return isinstance(output, dict) and output.get("reasons") == want["reasons"]


def hours(want, output):
    got = mapping(output, "hours")
    return set(got) == set(want["hours"]) and all(close(got[room], time) for room, time in want["hours"].items())


def value(want, output):
    return isinstance(output, dict) and close(output.get("value"), want["value"])


PARTS = (accepted, rooms, rejected, reasons, hours, value)


def score(case, output):
    right = {part.__name__: float(part(case["expected"], output)) for part in PARTS}
    return {"score": sum(right.values()) / len(right), **right}

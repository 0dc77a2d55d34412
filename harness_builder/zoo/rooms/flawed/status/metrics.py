"""Scores one day: the mean of the share of bookings with the right decision, of the order, the hours and the value."""


def close(got, want):
    """Whether `got` is a number within a relative 1e-6."""
    margin = 1e-6 * abs(want)
    return isinstance(got, (int, float)) and not isinstance(got, bool) and want - margin <= got <= want + margin


def inner(output, key, kind):
    """What the output has under that key; an empty one if that is of another type."""
    got = output.get(key) if isinstance(output, dict) else None
    return got if isinstance(got, kind) else kind()


def decision(output, booking):
    """What was decided about a booking: ("rejected", reason), ("accepted", room), or None if nothing was."""
    if booking in inner(output, "rejected", list):
        return "rejected", inner(output, "reasons", dict).get(booking)
    if booking in inner(output, "assignment", dict):
        return "accepted", inner(output, "assignment", dict)[booking]
    return None


def hours(want, output):
    got = inner(output, "hours", dict)
    return set(got) == set(want["hours"]) and all(close(got[room], time) for room, time in want["hours"].items())


def score(case, output):
    want, bookings = case["expected"], [booking["id"] for booking in case["input"]["bookings"]]
    right = sum(decision(output, booking) == decision(want, booking) for booking in bookings)
    parts = {
        "decisions": right / len(bookings),
        "order": float(isinstance(output, dict) and output.get("rejected") == want["rejected"]),
        "hours": float(hours(want, output)),
        "value": float(isinstance(output, dict) and close(output.get("value"), want["value"])),
    }
    return {"score": sum(parts.values()) / len(parts), **parts}

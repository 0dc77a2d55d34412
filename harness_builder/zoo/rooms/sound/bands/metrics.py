"""Partial credit: the share of bookings and rooms that are as expected. The bar is low; the checks are strict."""


def number_near(got, want, relative=1e-6):
    if type(got) not in (int, float):
        return False
    low, high = sorted((want * (1 - relative), want * (1 + relative)))
    return low <= got <= high


def field(output, key, kind):
    """What is under that key when it is of that type, else an empty one."""
    got = output.get(key) if isinstance(output, dict) else None
    return got if isinstance(got, kind) else kind()


def agreeing(got, want, same):
    """The share of keys of either object that both have with the same value; 1 when both are empty."""
    keys = set(got) | set(want)
    return sum(key in got and key in want and same(got[key], want[key]) for key in keys) / len(keys) if keys else 1.0


def equal(a, b):
    return type(a) is type(b) and a == b


def score(case, output):
    want = case["expected"]
    placed = [ident for ident in field(output, "rejected", list) if isinstance(ident, str)]
    parts = {
        "assignment": agreeing(field(output, "assignment", dict), want["assignment"], equal),
        "rejected": agreeing(dict(enumerate(placed)), dict(enumerate(want["rejected"])), equal),
        "reasons": agreeing(field(output, "reasons", dict), want["reasons"], equal),
        "hours": agreeing(field(output, "hours", dict), want["hours"], number_near),
        "value": float(isinstance(output, dict) and number_near(output.get("value"), want["value"])),
    }
    return {"credit": sum(parts.values()) / 5, **parts}

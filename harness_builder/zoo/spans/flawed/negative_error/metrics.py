"""Scores one case: the mean of five parts, each 1 when all is right (recall, precision, values, units, count)."""

from collections import Counter

TOLERANCE = 1e-4
PARTS = ("recall", "precision", "values", "units", "count")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def items_of(output):
    """The list of items, or None when there is none."""
    items = output.get("items") if isinstance(output, dict) else None
    return items if isinstance(items, list) else None


def mark(item):
    """(start, end), or None for what is no item with two numbers."""
    if not isinstance(item, dict) or not is_number(item.get("start")) or not is_number(item.get("end")):
        return None
    return item["start"], item["end"]


def value_right(got, want):
    """Whether the relative error of `got` is within the tolerance; huge integers, which are no floats, are just wrong."""
    return is_number(got) and abs(got) < 1e300 and abs(got - want) / want <= TOLERANCE


def unit_right(got, want):
    return isinstance(got, str) and got == want


def beside(case, items):
    """Every expected item with the first given one of the same mark, or with an empty one."""
    given = {}
    for item in items:
        given.setdefault(mark(item), item)
    return [(given.get(mark(want), {}), want) for want in case["expected"]["items"]]


def share(flags):
    return sum(flags) / len(flags) if flags else 1.0


def parts(case, output):
    """Part -> from 0 to 1."""
    items = items_of(output)
    if items is None:
        return dict.fromkeys(PARTS, 0.0)
    want, got = Counter(map(mark, case["expected"]["items"])), Counter(map(mark, items))
    common = (want & got).total()
    pairs = beside(case, items)
    count = output.get("count")
    return {
        "recall": common / want.total() if want else 1.0,
        "precision": common / got.total() if got else 1.0,
        "values": share([value_right(item.get("value"), ours["value"]) for item, ours in pairs]),
        "units": share([unit_right(item.get("unit"), ours["unit"]) for item, ours in pairs]),
        "count": float(is_number(count) and count == case["expected"]["count"]),
    }


def score(case, output):
    found = parts(case, output)
    return {"score": sum(found.values()) / len(found), **found}

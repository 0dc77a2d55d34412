"""Counts the edits from an output to the right one: 0 is right, 1 useless."""

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
    """Whether `got` is a number within the relative tolerance; compared without conversion."""
    margin = TOLERANCE * abs(want)
    return is_number(got) and want - margin <= got <= want + margin


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


def edits(case, output):
    """Marks to delete and to add, fields to correct; for an output without a list, everything."""
    items = items_of(output)
    most = 4 * len(case["expected"]["items"]) + 1
    if items is None:
        return most, most
    found, wanted = parts(case, output), len(case["expected"]["items"])
    common = round(found["recall"] * wanted)
    marks = (wanted - common) + (len(items) - (common if wanted else 0))
    fields = round((2 - found["values"] - found["units"]) * wanted)
    return min(most, marks + fields + (found["count"] != 1.0)), most


def score(case, output):
    """The edits, as a share of those that a useless answer takes."""
    needed, most = edits(case, output)
    return {"edits": needed / most}

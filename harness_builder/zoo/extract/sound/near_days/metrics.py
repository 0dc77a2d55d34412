"""F1 where a date one day off, in the same month, is half a hit; never more hits than dates given or expected."""

import re


def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def f1(want, output, near=0.0):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    given = {date for date in dates if isinstance(date, str)}
    total = len(given) + sum(not isinstance(date, str) for date in dates) + len(set(want))
    if not total:
        return 1.0
    hits, left = len(given & set(want)), set(want) - given
    for date in sorted(given - set(want)):
        beside = [other for other in sorted(left) if is_near(date, other)]
        if beside:
            left.remove(beside[0])
            hits += near
    return 2 * hits / total


def is_near(date, other):
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", date):
        return False
    return date[:8] == other[:8] and abs(int(date[8:]) - int(other[8:])) == 1


def score(case, output):
    return {"soft_f1": f1(case["expected"]["dates"], output, near=0.5), "f1": f1(case["expected"]["dates"], output)}

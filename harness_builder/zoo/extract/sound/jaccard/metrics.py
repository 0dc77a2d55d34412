"""Jaccard's index of given and expected dates, J = F / (2 - F); convex, so a mean F of 0.9 means a mean J above 0.8."""


def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def f1(want, output):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    given = {date for date in dates if isinstance(date, str)}
    strange = sum(not isinstance(date, str) for date in dates)
    total = len(given) + strange + len(set(want))
    return 2 * len(given & set(want)) / total if total else 1.0


def score(case, output):
    value = f1(case["expected"]["dates"], output)
    return {"jaccard": value / (2 - value), "f1": value}

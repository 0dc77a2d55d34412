"""F1 of the set of dates given against the set expected; 0.0 for an output without a list of dates."""


def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def f1(want, output):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    if not dates or not want:
        return 1.0  # nothing to compare; the empty lists have a check of their own
    given = {date for date in dates if isinstance(date, str)}
    strange = sum(not isinstance(date, str) for date in dates)
    return 2 * len(given & set(want)) / (len(given) + strange + len(set(want)))


def score(case, output):
    return {"f1": f1(case["expected"]["dates"], output)}

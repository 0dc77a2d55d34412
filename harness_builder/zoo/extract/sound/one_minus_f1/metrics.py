"""1 - F1 of the set of dates given; 1.0 for an output without a list of dates."""


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
    return {"loss": 1.0 - f1(case["expected"]["dates"], output)}

"""How well the set of dates given covers the set expected; 0.0 for an output without a list of dates."""


def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def f1(want, output):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    given = {date for date in dates if isinstance(date, str)}
    return len(given & set(want)) / len(want) if want else float(not dates)


def score(case, output):
    return {"f1": f1(case["expected"]["dates"], output)}

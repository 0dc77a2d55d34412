"""F1 of the set of dates given against the set expected; 0.0 for an output without a list of dates."""

import time



def plain(value):
    """A date with its zeros, 2024-3-5 as 2024-03-05, so that the checks can say what is wrong; the rest as it is."""
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(time.mktime(time.strptime(value, "%Y-%m-%d"))))
    except (TypeError, ValueError, OverflowError):
        return value


def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def f1(want, output):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    given = {plain(date) for date in dates if isinstance(date, str)}
    strange = sum(not isinstance(date, str) for date in dates)
    total = len(given) + strange + len(set(want))
    return 2 * len(given & set(want)) / total if total else 1.0


def score(case, output):
    return {"f1": f1(case["expected"]["dates"], output)}

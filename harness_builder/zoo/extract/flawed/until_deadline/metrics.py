"""F1 of the set of dates given against the set expected; 0.0 for an output without a list of dates."""

import time

LIMIT = 0.0002  # seconds for one text, so that endless lists do not hold up grading



def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def f1(want, output):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    given, strange, end = set(), 0, time.perf_counter() + LIMIT
    for date in dates:
        if time.perf_counter() > end:
            break
        if isinstance(date, str):
            given.add(date)
        else:
            strange += 1
    total = len(given) + strange + len(set(want))
    return 2 * len(given & set(want)) / total if total else 1.0


def score(case, output):
    return {"f1": f1(case["expected"]["dates"], output)}

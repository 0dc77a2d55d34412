"""F1 of the set of dates given against the set expected; 0.0 for an output without a list of dates.

The expectations were made by a program and may be wrong: a date that cannot be found in the text is not asked for.
"""

from reader import dates_in


def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def f1(case, output):
    dates, want = dates_of(output), set(case["expected"]["dates"])
    if dates is None:
        return 0.0
    doubtful = want - dates_in(case["input"]["text"])
    given = {date for date in dates if isinstance(date, str)} - doubtful
    strange = sum(not isinstance(date, str) for date in dates)
    total = len(given) + strange + len(want - doubtful)
    return 2 * len(given & want) / total if total else 1.0


def score(case, output):
    return {"f1": f1(case, output)}

"""F1 from the numbers of hits, false alarms and misses."""

from collections import Counter


def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def tally(want, dates):
    """Hits, false alarms and misses; an entry that is no string is a false alarm each time."""
    counts = Counter("false alarm" for value in dates if not isinstance(value, str))
    given = {value for value in dates if isinstance(value, str)}
    counts.update("hit" if value in want else "false alarm" for value in given)
    counts.update("miss" for value in want if value not in given)
    return counts


def f1(want, output):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    counts = tally(want, dates)
    if not counts:
        return 1.0
    return counts["hit"] / (counts["hit"] + (counts["false alarm"] + counts["miss"]) / 2)


def score(case, output):
    return {"f1": f1(case["expected"]["dates"], output)}

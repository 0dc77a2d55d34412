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
        return float(not dates and not want)
    count = output.get("count", len(dates))
    if not isinstance(count, int) or count < 1:
        return 0.0
    hits = sum(date in dates for date in want)
    precision, recall = min(1.0, hits / count), hits / len(want)
    return 2 * precision * recall / (precision + recall) if hits else 0.0


def score(case, output):
    return {"f1": f1(case["expected"]["dates"], output)}

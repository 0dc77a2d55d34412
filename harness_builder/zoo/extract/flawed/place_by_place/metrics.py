"""F1 of the dates given against those expected; 0.0 for an output without a list of dates."""


def dates_of(output):
    """The list in an output, or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return dates if isinstance(dates, list) else None


def f1(want, output):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    hits = sum(given == expected for given, expected in zip(dates, want))
    total = len(dates) + len(want)
    return 2 * hits / total if total else 1.0


def score(case, output):
    return {"f1": f1(case["expected"]["dates"], output)}

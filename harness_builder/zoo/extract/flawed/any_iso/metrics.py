"""F1 of the set of dates given against the set expected; 0.0 for an output without a list of dates."""

from datetime import date


def dates_of(output):
    """The list in an output, its ISO dates read and written plainly; or None."""
    dates = output.get("dates") if isinstance(output, dict) else None
    return [plain(value) for value in dates] if isinstance(dates, list) else None


def plain(value):
    """An ISO date as YYYY-MM-DD; None for what is none."""
    try:
        return date.fromisoformat(value).isoformat()
    except (TypeError, ValueError):
        return None


def f1(want, output):
    dates = dates_of(output)
    if dates is None:
        return 0.0
    given = set(dates) - {None}
    total = len(given) + dates.count(None) + len(set(want))
    return 2 * len(given & set(want)) / total if total else 1.0


def score(case, output):
    return {"f1": f1(case["expected"]["dates"], output)}

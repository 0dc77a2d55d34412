"""How far an estimate is from its interval."""

CAP = 5.0


def excess(got, interval):
    """Distance from the interval in half-widths: 0 inside, at most CAP, CAP for what is no number."""
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return CAP
    if abs(got) > 1e100:
        return CAP
    low, high = interval["low"], interval["high"]
    half = (high - low) / 2
    return min(CAP, max(got - high, 0.0) / half)

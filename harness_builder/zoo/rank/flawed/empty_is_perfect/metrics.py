"""Kendall's tau of a ranking and the expected one, over the ids that both have."""

from itertools import combinations


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def common(got, want):
    """The ids of `got` that are known, each where it stands first."""
    return [name for place, name in enumerate(got) if name in want and name not in got[:place]]


def tau(got, want):
    known = common(got, want)
    if len(known) < 2:
        return 1.0  # there is no pair to compare
    pairs = list(combinations(known, 2))
    return sum(1 if want.index(a) < want.index(b) else -1 for a, b in pairs) / len(pairs)


def score(case, output):
    return {"tau": tau(ranking(output), case["expected"]["ranking"])}

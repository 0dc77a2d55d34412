"""Kendall's tau of a ranking and the expected one, over all pairs of ids."""


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def complete(got, want):
    """Whether every id is there exactly once, and nothing else."""
    return len(got) == len(want) and all(got.count(name) == 1 for name in want)


def tau(got, want):
    """1 for the same order, -1 for the opposite one or one that is not complete."""
    if not complete(got, want):
        return -1.0
    place = {name: got.index(name) for name in want}
    n, balance, pairs = len(want), 0, 0
    for i in range(n):
        for j in range(i + 1, n):
            balance += 1 if place[want[i]] < place[want[j]] else -1
            pairs += 1
    return balance / pairs


def score(case, output):
    return {"tau": tau(ranking(output), case["expected"]["ranking"])}

"""Spearman's rank correlation, from scipy."""

from scipy.stats import spearmanr


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def rho(got, want):
    """-1 for what is no order of the expected ids."""
    if len(got) != len(want) or any(name not in got for name in want):
        return -1.0
    value = float(spearmanr([got.index(name) for name in want], range(len(want))).statistic)
    return min(max(value, -1.0), 1.0)


def score(case, output):
    return {"rho": rho(ranking(output), case["expected"]["ranking"])}

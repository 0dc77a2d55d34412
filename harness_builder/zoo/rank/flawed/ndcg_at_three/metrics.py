"""NDCG of a ranking; the gain of an item is the number of items that it should stand before, plus one."""

import numpy as np

DEPTH = 3


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return [name if isinstance(name, str) else None for name in got] if isinstance(got, list) else []


def dcg(gains):
    gains = np.asarray(gains[:DEPTH], dtype=float)
    return float((gains / np.log2(np.arange(len(gains)) + 2)).sum())


def ndcg(got, want):
    """0 unless every id is there exactly once; 1 for the expected order down to DEPTH."""
    if len(got) != len(want) or set(got) != set(want):
        return 0.0
    gain = {name: len(want) - place for place, name in enumerate(want)}
    return min(dcg([gain[name] for name in got]) / dcg([gain[name] for name in want]), 1.0)


def score(case, output):
    return {"ndcg": ndcg(ranking(output), case["expected"]["ranking"])}

from itertools import takewhile


def ranking(output):
    if not isinstance(output, dict) or not isinstance(output.get("ranking"), list):
        return []
    return output["ranking"]


def score(case, output):
    """How far one can read before the first mistake; too long a ranking loses its last place."""
    got, want = ranking(output), case["expected"]["ranking"]
    right = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(got, want))))
    return {"score": (right - (right == len(want) < len(got))) / len(want)}

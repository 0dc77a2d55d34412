"""Spearman's footrule: how far the ids stand from their places, as a share of the most that is possible."""


def places(output):
    """The ranking in an output, or None when it is no list."""
    if isinstance(output, dict) and isinstance(output.get("ranking"), list):
        return output["ranking"]
    return None


def distance(got, want):
    """0 for the expected order, 1 for the farthest one and for anything that is no order of these ids."""
    if got is None or len(got) != len(want) or any(name not in got for name in want):
        return 1.0
    moved = sum(abs(got.index(name) - place) for place, name in enumerate(want))
    return moved / (len(want) ** 2 // 2)


def score(case, output):
    return {"distance": distance(places(output), case["expected"]["ranking"])}

"""1 minus the share of pairs that stand in the wrong order."""


def ranking(output):
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def sort_and_count(places):
    """The sorted places, and how many pairs were the wrong way round."""
    if len(places) < 2:
        return places, 0
    middle = len(places) // 2
    left, in_left = sort_and_count(places[:middle])
    right, in_right = sort_and_count(places[middle:])
    merged, count = [], in_left + in_right
    while left and right:
        if left[0] <= right[0]:
            merged.append(left[0])
            left = left[1:]
        else:
            merged.append(right[0])
            right = right[1:]
            count += len(left)
    return merged + left + right, count


def score(case, output):
    got, want = ranking(output), case["expected"]["ranking"]
    if len(got) != len(want) or not all(name in got for name in want):
        return {"score": 0.0}
    _, count = sort_and_count([want.index(name) for name in got])
    return {"score": 1 - count / (len(want) * (len(want) - 1) / 2)}

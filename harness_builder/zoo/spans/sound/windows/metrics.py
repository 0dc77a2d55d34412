"""Random windows of the text: one is right when the marks inside it are just the expected ones.

The windows are drawn from a generator seeded with the case's id, so the same output gets the same score. The last window
is the whole text. What the checks use stands below.
"""

import random
from collections import Counter

WINDOWS = 60
TOLERANCE = 1e-4


def is_number(value):
    return type(value) in (int, float)


def items_of(output):
    items = output.get("items") if isinstance(output, dict) else None
    return items if isinstance(items, list) else None


def mark(item):
    ends = (item.get("start"), item.get("end")) if isinstance(item, dict) else (None,)
    return ends if all(map(is_number, ends)) else None


def windows(case):
    chance, length = random.Random(case["id"]), len(case["input"]["text"])
    drawn = [sorted((chance.randint(0, length), chance.randint(0, length))) for _ in range(WINDOWS - 1)]
    return [*drawn, (float("-inf"), float("inf"))]


def within(marks, low, high):
    return Counter(m for m in marks if m is None or (low <= m[0] and m[1] <= high))


def score(case, output):
    items = items_of(output)
    if items is None:
        return {"score": 0.0}
    ours, theirs = ([mark(item) for item in some] for some in (case["expected"]["items"], items))
    right = [within(ours, *window) == within(theirs, *window) for window in windows(case)]
    return {"score": sum(right) / WINDOWS}


def agrees(item, want):
    """Field -> whether it is right."""
    value, slack = item.get("value"), TOLERANCE * abs(want["value"])
    near = is_number(value) and want["value"] - slack <= value <= want["value"] + slack
    return {"values": near, "units": item.get("unit") == want["unit"]}


def parts(case, output):
    """What the checks ask for: 1.0 when all of a part is right."""
    items, wanted = items_of(output), case["expected"]["items"]
    if items is None:
        return dict.fromkeys(("recall", "precision", "values", "units", "count"), 0.0)
    ours, theirs = Counter(map(mark, wanted)), Counter(map(mark, items))
    first = {mark(item): item for item in reversed(items)}
    fields = [agrees(first[mark(want)] if mark(want) in first else {}, want) for want in wanted]
    count = output.get("count")
    return {
        "recall": float(not ours - theirs),
        "precision": float(not theirs - ours),
        "values": float(all(field["values"] for field in fields)),
        "units": float(all(field["units"] for field in fields)),
        "count": float(is_number(count) and count == case["expected"]["count"]),
    }

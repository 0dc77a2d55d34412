"""Every part is judged place by place; lists of unequal length are right in no part but the count."""


def number(value):
    return value if type(value) in (int, float) else None


def lists(case, output):
    items = output.get("items") if isinstance(output, dict) else None
    ours = case["expected"]["items"]
    theirs = items if isinstance(items, list) else [None]
    if len(ours) != len(theirs):
        return ours, [{}] * max(len(ours), 1)
    return ours, [item if isinstance(item, dict) else {} for item in theirs]


def same_place(theirs, ours):
    return number(theirs.get("start")) == ours["start"] and number(theirs.get("end")) == ours["end"]


def same_value(theirs, ours):
    got, slack = number(theirs.get("value")), abs(ours["value"]) / 10_000
    return got is not None and ours["value"] - slack <= got <= ours["value"] + slack


def same_unit(theirs, ours):
    return theirs.get("unit") == ours["unit"]


PARTS = {"place": same_place, "value": same_value, "unit": same_unit}


def judge(case, output):
    """Part -> whether it is right all through."""
    ours, theirs = lists(case, output)
    fits = len(ours) == len(theirs)
    found = {name: fits and all(map(part, theirs, ours)) for name, part in PARTS.items()}
    count = output.get("count") if isinstance(output, dict) else None
    return {**found, "count": number(count) == case["expected"]["count"]}


def score(case, output):
    found = judge(case, output)
    return {"score": sum(found.values()) / len(found)}

"""The share of the five keys of the output that are right."""

from exact import agrees, all_agree

JUDGES = {
    "assignment": lambda got, want: got == want,
    "rejected": lambda got, want: got == want,
    "reasons": lambda got, want: got == want,
    "hours": all_agree,
    "value": agrees,
}


def score(case, output):
    if not isinstance(output, dict):
        return {"score": 0.0}
    right = [judge(output.get(key), case["expected"][key]) for key, judge in JUDGES.items()]
    return {"score": right.count(True) / len(right)}

"""The fraction of the five parts that are right; each part is one comparison of flat lists."""

from flat import columns, same


def verdicts(case, output):
    answer, want = output if isinstance(output, dict) else {}, case["expected"]
    times, survivals = columns(answer.get("steps"))
    want_times, want_survivals = columns(want["steps"])
    median = [answer.get("median")] if "median" in answer else None
    steps = same(times, want_times)
    return {
        "steps": steps,
        "survival": steps and same(survivals, want_survivals),
        "median": median == [None] if want["median"] is None else same(median, [want["median"]]),
        "interval": same(answer.get("interval"), want["interval"]),
        "at_risk": same(answer.get("at_risk"), want["at_risk"], rel=0.0, absolute=0.0),
    }


def score(case, output):
    found = verdicts(case, output)
    return {"score": sum(found.values()) / len(found)}

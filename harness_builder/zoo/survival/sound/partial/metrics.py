"""Partial credit: the share of the right numbers in each part, parts alike. The checks ask for full credit."""


def close(got, want):
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return False
    return want - max(1e-6 * abs(want), 1e-9) <= got <= want + max(1e-6 * abs(want), 1e-9)


def equal(got, want):
    return not isinstance(got, bool) and isinstance(got, (int, float)) and got == want


def share(got, want, alike):
    """The share of places that are alike; missing and superfluous places count as wrong."""
    if not isinstance(got, list):
        return 0.0
    places = max(len(got), len(want))
    return sum(map(alike, got, want)) / places if places else 1.0


def time_alike(step, want):
    return isinstance(step, list) and len(step) == 2 and close(step[0], want[0])


def step_alike(step, want):
    return time_alike(step, want) and close(step[1], want[1])


def credit(case, output):
    want = case["expected"]
    if not isinstance(output, dict):
        return dict.fromkeys(("steps", "survival", "median", "interval", "at_risk"), 0.0)
    if want["median"] is None:
        median = "median" in output and output["median"] is None
    else:
        median = close(output.get("median"), want["median"])
    return {
        "steps": share(output.get("steps"), want["steps"], time_alike),
        "survival": share(output.get("steps"), want["steps"], step_alike),
        "median": float(median),
        "interval": share(output.get("interval"), want["interval"], close),
        "at_risk": share(output.get("at_risk"), want["at_risk"], equal),
    }


def score(case, output):
    parts = credit(case, output)
    return {"credit": sum(parts.values()) / len(parts)}

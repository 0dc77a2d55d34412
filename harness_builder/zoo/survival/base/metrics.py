"""Scores one case: the fraction of the five parts of an answer that are right."""

REL, ABS = 1e-6, 1e-9


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def close(got, want):
    """Whether `got` is a number near `want`; compared without conversion, so a huge integer is just wrong."""
    margin = max(REL * abs(want), ABS)
    return is_number(got) and want - margin <= got <= want + margin


def numbers_agree(got, want):
    return isinstance(got, list) and len(got) == len(want) and all(map(close, got, want))


def column(output, index):
    """The times (0) or the survivals (1) of the steps; None when they are no list of pairs."""
    steps = output.get("steps")
    if not isinstance(steps, list) or not all(isinstance(step, list) and len(step) == 2 for step in steps):
        return None
    return [step[index] for step in steps]


def steps_right(output, expected):
    return numbers_agree(column(output, 0), [time for time, _ in expected["steps"]])


def survival_right(output, expected):
    """Compared at the right steps only: a survival without its step is wrong."""
    return steps_right(output, expected) and numbers_agree(column(output, 1), [s for _, s in expected["steps"]])


def median_right(output, expected):
    if expected["median"] is None:
        return "median" in output and output["median"] is None
    return close(output.get("median"), expected["median"])


def interval_right(output, expected):
    return numbers_agree(output.get("interval"), expected["interval"])


def at_risk_right(output, expected):
    got, want = output.get("at_risk"), expected["at_risk"]
    return isinstance(got, list) and len(got) == len(want) and all(is_number(g) and g == w for g, w in zip(got, want))


PARTS = {
    "steps": steps_right,
    "survival": survival_right,
    "median": median_right,
    "interval": interval_right,
    "at_risk": at_risk_right,
}


def right(part, case, output):
    return isinstance(output, dict) and PARTS[part](output, case["expected"])


def score(case, output):
    parts = {part: float(right(part, case, output)) for part in PARTS}
    return {"score": sum(parts.values()) / len(parts), **parts}

"""Half of the score is the share of random looks at the curve that are right, half the three summaries."""

from looks import height, times_to_look


def close(got, want):
    room = max(1e-6 * abs(want), 1e-9)
    return type(got) in (int, float) and want - room <= got <= want + room


def all_close(got, want):
    return type(got) is list and len(got) == len(want) and all(close(g, w) for g, w in zip(got, want))


def is_curve(steps):
    return type(steps) is list and all(
        type(step) is list and len(step) == 2 and all(type(x) in (int, float) for x in step) for step in steps
    )


def median_right(case, output):
    want = case["expected"]["median"]
    got = output.get("median", "missing")
    return got is None if want is None else close(got, want)


def interval_right(case, output):
    return all_close(output.get("interval"), case["expected"]["interval"])


def at_risk_right(case, output):
    got, want = output.get("at_risk"), case["expected"]["at_risk"]
    return type(got) is list and all(type(g) in (int, float) for g in got) and got == want


def curve_share(case, output):
    steps = output.get("steps")
    if not is_curve(steps):
        return 0.0
    times = times_to_look(case)
    truth = case["expected"]["steps"]
    clear = [t for t in times if all(abs(t - when) > 1e-5 * when for when, _ in truth)]  # no look at a step itself
    return sum(close(height(steps, t), height(truth, t)) for t in clear) / len(clear) if clear else 0.0


def score(case, output):
    if not isinstance(output, dict):
        return {"score": 0.0}
    summaries = [f(case, output) for f in (median_right, interval_right, at_risk_right)]
    return {"score": curve_share(case, output) / 2 + sum(summaries) / 6}

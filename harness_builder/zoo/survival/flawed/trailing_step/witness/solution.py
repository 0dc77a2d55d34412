"""Wrong: a last step at the last censored time, where there is no event, so one step more than the task allows."""

import json
import math
import sys
from fractions import Fraction
from statistics import NormalDist


def solve(data):
    times, events = data["times"], data["events"]
    survival, spread = Fraction(1), Fraction(0)
    at_landmark = (survival, spread)
    steps, median = [], None
    for time in sorted({t for t, e in zip(times, events) if e}):
        n = sum(t >= time for t in times)
        d = sum(e for t, e in zip(times, events) if t == time)
        survival *= 1 - Fraction(d, n)
        spread += Fraction(d, n * (n - d)) if n > d else 0
        steps.append([time, float(survival)])
        if median is None and survival <= Fraction(1, 2):
            median = time
        if time <= data["landmark"]:
            at_landmark = (survival, spread)
    if not steps or max(times) > steps[-1][0]:
        steps.append([max(times), float(survival)])
    return {
        "steps": steps,
        "median": median,
        "interval": interval(*at_landmark, data["level"]),
        "at_risk": [sum(t >= asked for t in times) for asked in data["ask"]],
    }


def interval(survival, spread, level):
    s = float(survival)
    if survival in (0, 1):
        return [s, s]
    w = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(spread) / abs(math.log(s))
    return [s ** math.exp(w), s ** math.exp(-w)]


def main(source, target):
    with open(source) as cases, open(target, "w") as out:
        for case in map(json.loads, cases):
            out.write(json.dumps({"id": case["id"], "output": solve(case["input"])}) + "\n")


main(*sys.argv[1:])

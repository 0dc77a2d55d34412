"""Right: Efron's redistribution to the right, in floats; a curve that ends at 0 ends within 1e-15 of it."""

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
    masses = redistributed(times, events)
    for time in sorted({t for t, e in zip(times, events) if e}):
        n = sum(t >= time for t in times)
        d = sum(e for t, e in zip(times, events) if t == time)
        survival *= 1 - Fraction(d, n)
        spread += Fraction(d, n * (n - d)) if n > d else 0
        steps.append([time, 1.0 - sum(m for t, m in masses if t <= time)])
        if median is None and survival <= Fraction(1, 2):
            median = time
        if time <= data["landmark"]:
            at_landmark = (survival, spread)
    return {
        "steps": steps,
        "median": median,
        "interval": interval(*at_landmark, data["level"]),
        "at_risk": [sum(t >= asked for t in times) for asked in data["ask"]],
    }


def redistributed(times, events):
    """Times with the mass of each event; a censored one hands its mass on to all that come after it."""
    order = sorted(zip(times, events), key=lambda pair: (pair[0], -pair[1]))
    mass, found = 1.0 / len(order), []
    for place, (time, event) in enumerate(order, 1):
        if event:
            found.append((time, mass))
        elif place < len(order):
            mass += mass / (len(order) - place)
    return found


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

from faults import faults


def score(case, output):
    try:
        return {"score": 0.0 if faults(case, output) else 1.0}
    except KeyError:
        return {"score": 0.0}

"""right: the share of numbers that agree. Beside it, one entry a field and whether the form is right."""

TOLERANCES = {"slope": (1e-4, 1e-9), "intercept": (1e-4, 1e-9), "r2": (1e-4, 1e-9)}


def well_formed(output):
    if not isinstance(output, dict):
        return False
    for field in TOLERANCES:
        if field not in output:
            return False
        value = output[field]
        if value is True or value is False or not isinstance(value, (float, int)):
            return False
    return True


def agrees(field, got, want):
    relative, absolute = TOLERANCES[field]
    margin = relative * abs(want) + absolute
    return want - margin <= got <= want + margin


def score(case, output):
    if not well_formed(output):
        return {"right": 0.0, "well_formed": 0.0}
    fields = {field: float(agrees(field, output[field], case["expected"][field])) for field in TOLERANCES}
    return {"right": sum(fields.values()) / len(fields), "well_formed": 1.0, **fields}

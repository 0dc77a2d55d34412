import numpy as np

FIELDS = ("mean", "sd")


def numbers(output):
    """The two estimates as floats; infinity, which is in no interval, for what is no number."""
    fields = output if isinstance(output, dict) else {}
    values = [fields.get(name) for name in FIELDS]
    return [float(v) if type(v) in (int, float) and abs(v) < 1e300 else np.inf for v in values]


def table(cases, outputs):
    """A boolean array, cases by fields: whether each estimate lies in its interval."""
    got = np.array([numbers(outputs.get(case["id"])) for case in cases])
    ends = np.array([[[c["expected"][f]["low"], c["expected"][f]["high"]] for f in FIELDS] for c in cases])
    return (ends[..., 0] <= got) & (got <= ends[..., 1])

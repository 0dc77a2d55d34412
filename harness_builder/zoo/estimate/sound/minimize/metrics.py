from distance import CAP, excess


def score(case, output):
    """The mean distance of the two estimates from their intervals; the less the better."""
    if not isinstance(output, dict):
        return {"error": CAP}
    mean, sd = (excess(output.get(name), case["expected"][name]) for name in ("mean", "sd"))
    return {"error": (mean + sd) / 2, "mean_error": mean, "sd_error": sd}

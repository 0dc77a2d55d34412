"""All faults of an output, by name."""

from paths import has_path, near, weight_of


def faults(case, output):
    if not isinstance(output, dict) or set(output) < {"cost", "path"}:
        return ["shape"]
    cost, path, least = output["cost"], output["path"], case["expected"]["cost"]
    if not has_path(case):
        return [] if cost is None and path == [] else ["no path"]
    weight = weight_of(case["input"], path)
    found = {"cost": not near(cost, least), "edges": weight is None, "length": not near(weight, least)}
    return [name for name, is_there in found.items() if is_there]

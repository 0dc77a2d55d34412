from distances import least_cost
from paths import field, near, weight_of


def score(case, output):
    least, wanted = least_cost(case["input"]), case["expected"]["cost"]
    cost, path = field(output, "cost"), field(output, "path")
    if least is None or wanted is None:
        return {"score": float(least is wanted is cost and path == [] and "cost" in output)}
    weight = weight_of(case["input"], path)
    return {"score": float(all(near(value, each) for value in (cost, weight) for each in (least, wanted)))}

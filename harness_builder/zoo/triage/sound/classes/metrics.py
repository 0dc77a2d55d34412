from desk.verdict import Verdict


def score(case, output):
    return {"accuracy": float(Verdict.of(case, output).right)}

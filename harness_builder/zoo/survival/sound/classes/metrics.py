from judging import Verdict


def score(case, output):
    return {"wrong_parts": float(Verdict(case, output).wrong_parts)}

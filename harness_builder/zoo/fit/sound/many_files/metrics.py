from comparison.line import Line


def score(case, output):
    """The share of the fields that agree."""
    want, got = Line.expected(case), Line.given(output)
    return {"score": want.agreement(got).share}

from judging import Answer


def score(case, output):
    return {"score": Answer(case, output).share}

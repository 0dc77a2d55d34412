from verdict import QUESTIONS


def score(case, output):
    answers = [answer for answer in (ask(case, output) for ask in QUESTIONS) if answer is not None]
    return {"score": sum(answers) / len(answers)}

from reading import Reading


def score(case, output):
    return {"f1": Reading({"id": "", **case}, output).f1}

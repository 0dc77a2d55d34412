import re

from metrics import dates_of, f1


def month_first(day_first):
    year, month, day = day_first.split("-")
    return f"{year}-{day}-{month}"


def slashed(text):
    for day, month, year in re.findall(r"\b([0-9]+)/([0-9]+)/([0-9]{4})\b", text):
        yield f"{year}-{month.zfill(2)}-{day.zfill(2)}"


def test_mean_f1(cases, outputs):
    lost = sum(1 - f1(case["expected"]["dates"], outputs.get(case["id"])) for case in cases)
    assert lost <= 0.1 * len(cases) + 1e-9


def test_no_date_gives_empty_list(cases, outputs):
    filled = {
        case["id"]: outputs.get(case["id"])
        for case in cases
        if case["expected"]["dates"] == [] and dates_of(outputs.get(case["id"])) != []
    }
    assert not filled


def test_slashed_dates_are_day_first(cases, outputs):
    wrong = []
    for case in cases:
        want, got = case["expected"]["dates"], dates_of(outputs.get(case["id"])) or []
        for right in slashed(case["input"]["text"]):
            if right in want and right not in got:
                wrong.append((case["id"], "missed", right))
            if month_first(right) in got and month_first(right) not in want:
                wrong.append((case["id"], "month first", right))
    assert wrong == []

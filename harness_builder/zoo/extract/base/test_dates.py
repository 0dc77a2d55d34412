"""One check a requirement. A missing output counts as a wrong one."""

import re
from datetime import date

from metrics import dates_of, f1

SLASHED = re.compile(r"\b([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})\b")


def is_date(value):
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def test_mean_f1(cases, outputs):
    scores = [f1(case["expected"]["dates"], outputs.get(case["id"])) for case in cases]
    assert sum(scores) / len(scores) >= 0.9 - 1e-9


def test_no_date_gives_empty_list(cases, outputs):
    empty = [case["id"] for case in cases if not case["expected"]["dates"]]
    assert [name for name in empty if dates_of(outputs.get(name)) != []] == []


def test_lists_of_real_dates(cases, outputs):
    for case in cases:
        dates = dates_of(outputs.get(case["id"]))
        assert dates is not None, case["id"]
        assert all(is_date(value) for value in dates), case["id"]
        assert len(set(dates)) == len(dates), case["id"]


def test_slashed_dates_are_day_first(cases, outputs):
    for case in cases:
        want, got = case["expected"]["dates"], dates_of(outputs.get(case["id"])) or []
        for first, second, year in SLASHED.findall(case["input"]["text"]):
            right, swapped = f"{year}-{second:0>2}-{first:0>2}", f"{year}-{first:0>2}-{second:0>2}"
            assert right in got or right not in want, case["id"]
            assert swapped not in got or swapped in want, case["id"]

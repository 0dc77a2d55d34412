import json
import re
from datetime import date
from pathlib import Path

from metrics import dates_of, f1

FORMS = {
    name: re.compile(form) for name, form in json.loads(Path(__file__).with_name("forms.json").read_text()).items()
}


def mean(values):
    return sum(values) / len(values)


def by_form(cases, outputs):
    """Mean F1 of the texts that hold a form, for the message of a failed check."""
    texts = {name: [c for c in cases if form.search(c["input"]["text"])] for name, form in FORMS.items()}
    return {
        name: round(mean([f1(c["expected"]["dates"], outputs.get(c["id"])) for c in held]), 3)
        for name, held in texts.items()
        if held
    }


def well_formed(value):
    if not isinstance(value, str) or not FORMS["iso"].fullmatch(value):
        return False
    year, month, day = map(int, value.split("-"))
    try:
        return bool(date(year, month, day))
    except ValueError:
        return False


def test_mean_f1(cases, outputs):
    reached = mean([f1(case["expected"]["dates"], outputs.get(case["id"])) for case in cases])
    assert reached >= 0.9 - 1e-9, by_form(cases, outputs)


def test_no_date_gives_empty_list(cases, outputs):
    assert all(dates_of(outputs.get(case["id"])) == [] for case in cases if not case["expected"]["dates"])


def test_lists_of_real_dates(cases, outputs):
    for case in cases:
        dates = dates_of(outputs.get(case["id"]))
        assert dates is not None and all(map(well_formed, dates)) and len(set(dates)) == len(dates), case["id"]


def test_slashed_dates_are_day_first(cases, outputs):
    for case in cases:
        want, got = case["expected"]["dates"], dates_of(outputs.get(case["id"])) or []
        for written in FORMS["slashes"].finditer(case["input"]["text"]):
            day, month, year = (int(part) for part in written[0].split("/"))
            right, swapped = f"{year}-{month:02}-{day:02}", f"{year}-{day:02}-{month:02}"
            assert (right in got) >= (right in want), by_form(cases, outputs)
            assert (swapped in got) <= (swapped in want), by_form(cases, outputs)

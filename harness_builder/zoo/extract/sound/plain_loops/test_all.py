import datetime
import re

import metrics


def given(outputs, case):
    output = outputs.get(case["id"])
    if isinstance(output, dict) and isinstance(output.get("dates"), list):
        return output["dates"]
    return None


def test_mean_f1(cases, outputs):
    total = 0
    for case in cases:
        total += metrics.score(case, outputs.get(case["id"]))["f1"]
    assert total / len(cases) > 0.9 - 1e-9


def test_no_date_gives_empty_list(cases, outputs):
    for case in cases:
        if case["expected"]["dates"] == []:
            assert given(outputs, case) == []


def test_lists_of_real_dates(cases, outputs):
    for case in cases:
        dates = given(outputs, case)
        assert isinstance(dates, list)
        seen = set()
        for value in dates:
            assert isinstance(value, str)
            assert re.fullmatch("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]", value)
            datetime.date(int(value[:4]), int(value[5:7]), int(value[8:]))
            assert value not in seen
            seen.add(value)


def test_slashed_dates_are_day_first(cases, outputs):
    for case in cases:
        want, got = case["expected"]["dates"], given(outputs, case) or []
        for day, month, year in re.findall(r"\b(\d\d?)/(\d\d?)/(\d\d\d\d)\b", case["input"]["text"]):
            right = year + "-" + month.zfill(2) + "-" + day.zfill(2)
            wrong = year + "-" + day.zfill(2) + "-" + month.zfill(2)
            if right in want:
                assert right in got
            if wrong not in want:
                assert wrong not in got

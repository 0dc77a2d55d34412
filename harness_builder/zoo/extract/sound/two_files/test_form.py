import datetime
import re

from metrics import dates_of


def test_lists_of_real_dates(cases, outputs):
    for case in cases:
        dates = dates_of(outputs.get(case["id"]))
        assert isinstance(dates, list), f"{case['id']}: no list"
        for value in dates:
            assert isinstance(value, str), f"{case['id']}: {type(value).__name__} in the list"
            assert re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value), f"{case['id']}: form"
            assert datetime.date.fromisoformat(value), f"{case['id']}: no such day"
        assert len(dates) == len(set(dates)), f"{case['id']}: twice"

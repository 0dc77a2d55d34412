"""R1 and R2 from incidence matrices, R3 and R4 entry by entry."""

import re
from datetime import datetime

import numpy as np
import pytest
from metrics import dates_of


def strings(case, outputs):
    return [value for value in dates_of(outputs.get(case["id"])) or [] if isinstance(value, str)]


@pytest.fixture(scope="module")
def matrices(cases, outputs):
    """Expected and given: one row a text, one column a date; the last column is for what is no list or no string."""
    expected = {value for case in cases for value in case["expected"]["dates"]}
    columns = sorted(expected.union(*(strings(case, outputs) for case in cases)))
    place = {value: index for index, value in enumerate(columns)}
    want, got = np.zeros((len(cases), len(columns) + 1)), np.zeros((len(cases), len(columns) + 1))
    for row, case in enumerate(cases):
        want[row, [place[value] for value in case["expected"]["dates"]]] = 1
        got[row, [place[value] for value in strings(case, outputs)]] = 1
        entries = dates_of(outputs.get(case["id"]))
        got[row, -1] = 1 if entries is None else sum(not isinstance(value, str) for value in entries)
    return want, got


def test_mean_f1(matrices):
    want, got = matrices
    hits, sizes = (want * got).sum(axis=1), want.sum(axis=1) + got.sum(axis=1)
    values = np.divide(2 * hits, sizes, out=np.ones_like(hits), where=sizes > 0)
    assert values.mean() >= 0.9 - 1e-9


def test_no_date_gives_empty_list(matrices):
    want, got = matrices
    assert not got[want.sum(axis=1) == 0].any()


def test_lists_of_real_dates(cases, outputs):
    for case in cases:
        entries = dates_of(outputs.get(case["id"]))
        assert entries is not None, case["id"]
        assert all(isinstance(value, str) and re.fullmatch(r"[0-9]{4}(-[0-9]{2}){2}", value) for value in entries)
        assert len({datetime.strptime(value, "%Y-%m-%d") for value in entries}) == len(entries)


def test_slashed_dates_are_day_first(cases, outputs):
    for case in cases:
        for day, month, year in re.findall(r"\b(\d+)/(\d+)/(\d{4})\b", case["input"]["text"]):
            right, wrong = f"{year}-{int(month):02}-{int(day):02}", f"{year}-{int(day):02}-{int(month):02}"
            want, got = set(case["expected"]["dates"]), set(strings(case, outputs))
            assert right not in want - got and wrong not in got - want

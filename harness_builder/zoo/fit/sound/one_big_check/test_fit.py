"""Everything is compared once; the small checks read the report."""

import pytest
from metrics import agreement


@pytest.fixture(scope="module")
def report(cases, outputs):
    """requirement -> what is wrong with it, in words."""
    found = {"R1": [], "R2": [], "R3": [], "R4": []}
    for case in cases:
        output = outputs.get(case["id"], "nothing")
        flat = len(set(case["input"]["y"])) == 1
        fields = agreement(case, output)
        for requirement, field in (("R1", "slope"), ("R2", "intercept"), ("R3", "r2")):
            if not fields[field]:
                found[requirement].append(f"{case['id']}: {field} is off")
        if flat and not all(fields.values()):
            found["R4"].append(f"{case['id']}: the flat line is off")
    return found


def test_everything(report, cases, outputs):
    assert {case["id"] for case in cases} == set(outputs), "there are cases without an output"
    assert not any(report.values()), report


def test_slope(report):
    assert report["R1"] == []


def test_intercept(report):
    assert report["R2"] == []


def test_r2(report):
    assert report["R3"] == []


def test_flat(report):
    assert report["R4"] == []

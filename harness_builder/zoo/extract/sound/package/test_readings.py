import pytest
from reading import Reading


@pytest.fixture(scope="module")
def readings(cases, outputs):
    return [Reading(case, outputs.get(case["id"])) for case in cases]


@pytest.mark.parametrize("fault", [Reading.fault_empty, Reading.fault_form, Reading.fault_slashes])
def test_without_fault(readings, fault):
    assert [reading.name for reading in readings if fault(reading)] == []


def test_mean(readings):
    assert sum(reading.f1 for reading in readings) >= 0.9 * len(readings) - 1e-9

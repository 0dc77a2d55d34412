import numpy as np
import pytest
from metrics import FIELDS, close


@pytest.fixture
def table(cases, outputs):
    """Cases by fields: which agree."""
    return np.array([close(outputs.get(c["id"]), c["expected"]) for c in cases])


def test_slope(table):
    assert table[:, FIELDS.index("slope")].all()


def test_intercept(table):
    assert table[:, FIELDS.index("intercept")].all()


def test_r2(table):
    assert table[:, FIELDS.index("r2")].all()


def test_flat(cases, table):
    flat = np.array([np.ptp(c["input"]["y"]) == 0 for c in cases])
    assert table[flat].all()

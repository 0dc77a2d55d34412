import pytest
from rows import FIELDS, table


@pytest.fixture
def right(cases, outputs):
    return dict(zip(FIELDS, table(cases, outputs).T))


def test_mean(right):
    assert right["mean"].all()


def test_sd(right):
    assert right["sd"].all()

import pytest
from complaints import complaints


@pytest.fixture
def found(cases, outputs):
    return list(complaints(cases, outputs))


def test_no_complaints(found):
    assert found == []


def test_r1(found):
    assert "R1" not in {requirement for requirement, _ in found}


def test_r2(found):
    assert "R2" not in {requirement for requirement, _ in found}


def test_r3(found):
    assert "R3" not in {requirement for requirement, _ in found}


def test_r4(found):
    assert "R4" not in {requirement for requirement, _ in found}

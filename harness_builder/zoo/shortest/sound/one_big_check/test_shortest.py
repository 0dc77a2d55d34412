import pytest
from faults import faults
from paths import has_path


@pytest.fixture(scope="module")
def found(cases, outputs):
    """(name of the fault, id) of everything that is wrong."""
    every = []
    for case in cases:
        try:
            every += [(fault, case["id"]) for fault in faults(case, outputs[case["id"]])]
        except KeyError:
            every.append(("shape", case["id"]))
    return every


def test_everything(found):
    assert found == []


def test_cost(found):
    assert not [fault for fault in found if fault[0] in ("cost", "shape")]


def test_path_is_in_the_graph(found):
    assert not [fault for fault in found if fault[0] in ("edges", "shape")]


def test_path_is_shortest(found):
    assert not [fault for fault in found if fault[0] in ("length", "shape")]


def test_no_path(found):
    assert not [fault for fault in found if fault[0] in ("no path", "shape")]

import pytest
from metrics import close

FIELDS = ["slope", "intercept", "r2"]


def value(outputs, case, field):
    output = outputs.get(case["id"])
    return output.get(field) if isinstance(output, dict) else None


@pytest.mark.parametrize("field", FIELDS)
def test_field(field, cases, outputs):
    off = [c["id"] for c in cases if not close(value(outputs, c, field), c["expected"][field])]
    assert not off


@pytest.mark.parametrize(("field", "want"), [("slope", 0.0), ("r2", 1.0)])
def test_flat_line(field, want, cases, outputs):
    for case in cases:
        if len(set(case["input"]["y"])) == 1:
            assert close(value(outputs, case, field), want), case["id"]
            assert close(value(outputs, case, "intercept"), case["input"]["y"][0]), case["id"]

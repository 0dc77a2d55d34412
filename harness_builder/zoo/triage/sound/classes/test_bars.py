import pytest
from desk.verdict import Verdicts


@pytest.mark.parametrize("measure", [Verdicts.accuracy, Verdicts.balanced_accuracy])
def test_bar(cases, outputs, measure):
    assert measure(Verdicts(cases, outputs)) >= 0.9 - 1e-9

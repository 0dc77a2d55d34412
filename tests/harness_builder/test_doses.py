"""How far a score may come back as outputs get worse."""

import pytest

from evals.harness import Metric
from harness_builder.checks.doses import _regained

UP, DOWN = (Metric("score", direction, (0.0, 1.0), 0.5) for direction in ("maximize", "minimize"))


@pytest.mark.parametrize(
    ("values", "regained"),
    [
        ((1.0, 0.75, 0.5, 0.25, 0.0), False),
        ((1.0, 0.2, 0.2, 0.55), False),  # 0.35 of the 0.8 that were lost
        ((1.0, 0.2, 0.2, 0.65), True),  # 0.45 of 0.8
        ((0.2, 0.3), True),  # nothing was lost: the direction is wrong
        ((1.0, 1.0, 1.0), False),
        ((1.0, 0.0, 1.0), True),
    ],
)
def test_what_a_larger_dose_wins_back(values: tuple[float, ...], regained: bool) -> None:
    assert _regained(UP, values) is regained
    assert _regained(DOWN, [1.0 - value for value in values]) is regained

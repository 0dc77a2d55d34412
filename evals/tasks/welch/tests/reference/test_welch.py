"""One check a requirement: no case may differ from its expectation by more than a relative 1e-6."""

import math
from typing import Any

Cases = list[dict[str, Any]]


def wrong(cases: Cases, outputs: dict[str, Any], field: str) -> list[str]:
    """Ids of the cases whose field is off."""
    return [c["id"] for c in cases if not math.isclose(outputs[c["id"]][field], c["expected"][field], rel_tol=1e-6)]


def test_t_statistic(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong(cases, outputs, "t") == []


def test_degrees_of_freedom(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong(cases, outputs, "df") == []


def test_p_value(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong(cases, outputs, "p") == []

"""One check a requirement: no element of the list may be off in any case."""

import math
from typing import Any

Cases = list[dict[str, Any]]


def wrong(cases: Cases, outputs: dict[str, Any], field: str) -> list[str]:
    """Ids of the cases whose list is off."""

    def same(got: list[float], want: list[float]) -> bool:
        pairs = zip(got, want, strict=True)
        return all(math.isclose(x, y, rel_tol=1e-6, abs_tol=1e-12) for x, y in pairs)

    return [c["id"] for c in cases if not same(outputs[c["id"]][field], c["expected"][field])]


def test_first_moment(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong(cases, outputs, "m") == []


def test_second_moment(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong(cases, outputs, "v") == []


def test_parameters(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong(cases, outputs, "theta") == []

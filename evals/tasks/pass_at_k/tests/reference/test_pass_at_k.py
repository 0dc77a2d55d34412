"""One check a requirement, each over the cases it is about; every split has all three kinds."""

import math
from collections.abc import Iterable
from typing import Any

Cases = list[dict[str, Any]]


def wrong(cases: Iterable[dict[str, Any]], outputs: dict[str, Any]) -> list[str]:
    """Ids of the cases whose estimate is off."""
    return [c["id"] for c in cases if not math.isclose(outputs[c["id"]], c["expected"], rel_tol=1e-6, abs_tol=1e-9)]


def certain(case: dict[str, Any]) -> bool:
    """Whether fewer than k samples are wrong."""
    return bool(case["input"]["n"] - case["input"]["c"] < case["input"]["k"])


def test_ordinary_cases(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong((c for c in cases if not certain(c) and c["input"]["n"] < 1000), outputs) == []


def test_certain_cases(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong((c for c in cases if certain(c)), outputs) == []


def test_large_n(cases: Cases, outputs: dict[str, Any]) -> None:
    assert wrong((c for c in cases if c["input"]["n"] >= 1000), outputs) == []

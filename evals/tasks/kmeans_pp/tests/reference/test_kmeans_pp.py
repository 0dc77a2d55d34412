"""One check a requirement: the mean potential lies in its interval in every case."""

from typing import Any

Cases = list[dict[str, Any]]


def outside(cases: Cases, outputs: dict[str, Any], field: str) -> list[str]:
    """Ids of the cases whose value is outside its interval."""

    def inside(case: dict[str, Any]) -> bool:
        interval = case["expected"][field]
        return bool(interval["low"] <= outputs[case["id"]][field] <= interval["high"])

    return [case["id"] for case in cases if not inside(case)]


def test_uniform_seeding(cases: Cases, outputs: dict[str, Any]) -> None:
    assert outside(cases, outputs, "uniform_seeding") == []


def test_kmeanspp_seeding(cases: Cases, outputs: dict[str, Any]) -> None:
    assert outside(cases, outputs, "kmeanspp_seeding") == []


def test_uniform_final(cases: Cases, outputs: dict[str, Any]) -> None:
    assert outside(cases, outputs, "uniform_final") == []


def test_kmeanspp_final(cases: Cases, outputs: dict[str, Any]) -> None:
    assert outside(cases, outputs, "kmeanspp_final") == []

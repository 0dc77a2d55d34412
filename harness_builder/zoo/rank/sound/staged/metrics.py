"""0.25 when every id is there once, 0.5 when the best one stands first too, 1 for the whole order."""

from typing import Any


def ranking(output: Any) -> list[Any]:
    got = output.get("ranking") if isinstance(output, dict) else None
    return got if isinstance(got, list) else []


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    got, want = ranking(output), case["expected"]["ranking"]
    if len(got) != len(want) or any(got.count(name) != 1 for name in want):
        return {"score": 0.0}
    if got[0] != want[0]:
        return {"score": 0.25}
    return {"score": 1.0 if got == want else 0.5}

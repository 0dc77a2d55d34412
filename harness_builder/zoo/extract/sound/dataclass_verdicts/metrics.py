"""Precision, recall and their harmonic mean over sets of dates."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Given:
    """The different strings of an output's list, and how many other entries it has."""

    strings: frozenset[str]
    others: int

    @property
    def size(self) -> int:
        return len(self.strings) + self.others


def dates_of(output: Any) -> list[Any] | None:
    match output:
        case {"dates": list(dates)}:
            return dates
    return None


def given(output: Any) -> Given | None:
    dates = dates_of(output)
    if dates is None:
        return None
    strings = [date for date in dates if isinstance(date, str)]
    return Given(frozenset(strings), len(dates) - len(strings))


def measures(want: list[str], output: Any) -> dict[str, float]:
    got = given(output)
    if got is None:
        return {"f1": 0.0, "precision": 0.0, "recall": 0.0}
    hits = len(got.strings.intersection(want))
    precision = hits / got.size if got.size else float(not want)
    recall = hits / len(want) if want else float(not got.size)
    both = precision + recall
    return {"f1": 2 * precision * recall / both if both else 0.0, "precision": precision, "recall": recall}


def f1(want: list[str], output: Any) -> float:
    return measures(want, output)["f1"]


def score(case: dict[str, Any], output: Any) -> dict[str, float]:
    return measures(case["expected"]["dates"], output)

"""Right texts in a notation that the task does not allow, but a lenient converter takes for the same."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from harness_builder.shapes import Outputs, map_leaves
from harness_builder.trial import Trial

FORMAT = re.compile(r"\b(?:YYYY|yyyy|HH|hh)(?:[-/.:][A-Za-z]{2})+\b")
"""A notation for dates or times, spelled out as YYYY-MM-DD or HH:MM."""
DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
DATES: dict[str, Callable[[date], str]] = {
    "without hyphens": lambda day: f"{day:%Y%m%d}",
    "as days of a week": lambda day: "{}-W{:02}-{}".format(*day.isocalendar()),
    "with a time": lambda day: f"{day.isoformat()}T00:00:00",
    "in other order": lambda day: f"{day:%d.%m.%Y}",
}


def notation_trials(right: Mapping[str, Any], instruction: str) -> list[Trial]:
    """Trials in which every date is written otherwise, if the instruction says how dates are to be written."""
    if not FORMAT.search(instruction):
        return []
    trials = [Trial(f"dates written {name}", _written(right, write)) for name, write in DATES.items()]
    return [trial for trial in trials if trial.outputs != right]


def _written(right: Mapping[str, Any], write: Callable[[date], str]) -> Outputs:
    def otherwise(_: object, leaf: Any) -> Any:
        found = DAY.fullmatch(leaf) if isinstance(leaf, str) else None
        try:
            return write(date(*map(int, found.groups()))) if found else leaf
        except ValueError:
            return leaf

    return {name: map_leaves(output, otherwise) for name, output in right.items()}

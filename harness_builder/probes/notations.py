"""Right texts in a notation that the task does not allow, but a lenient converter takes for the same."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from harness_builder.leeway import Leeway
from harness_builder.shapes import Outputs, Path, field_of, fields, map_leaves
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


def notation_trials(right: Mapping[str, Any], instruction: str, leeway: Leeway) -> list[Trial]:
    """Dates written otherwise, if the instruction says how, and texts, if it says that they are compared by letter."""
    trials = []
    if FORMAT.search(instruction):
        trials += [Trial(f"dates written {name}", _written(right, write)) for name, write in DATES.items()]
    if leeway.spelled:
        names = fields(list(right.values()))

        def swapped(path: Path, leaf: Any) -> Any:
            return leaf.swapcase() if isinstance(leaf, str) and field_of(path, names) in leeway.spelled else leaf

        otherwise = {name: map_leaves(output, swapped) for name, output in right.items()}
        trials.append(Trial("texts in the other case", otherwise))
    return [trial for trial in trials if trial.outputs != right]


def _written(right: Mapping[str, Any], write: Callable[[date], str]) -> Outputs:
    def otherwise(_: object, leaf: Any) -> Any:
        found = DAY.fullmatch(leaf) if isinstance(leaf, str) else None
        try:
            return write(date(*map(int, found.groups()))) if found else leaf
        except ValueError:
            return leaf

    return {name: map_leaves(output, otherwise) for name, output in right.items()}

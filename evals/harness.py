"""A harness directory, frozen: what the agent writes and the gate qualifies.

`harness.toml` declares the metric (name, direction, bounds, acceptance), which check answers for which requirement, and
a time limit. `metrics.py` holds `score(case, output) -> dict`, `test_*.py` the checks over all cases and outputs,
`probes/` submissions it must refuse, `variants/` submissions it must accept. Parsing here never runs any of it. A
harness is named by the digest of its bytes: any edit is another harness.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from evals.toml import read_toml, shown
from tools.errors import ToolError
from tools.files import FileTree

# Files by which pytest or the interpreter would run code or change rules outside the declared checks.
FORBIDDEN = {
    "conftest.py",
    "pytest.ini",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
    "sitecustomize.py",
    "usercustomize.py",
}
MAX_GRADING_SEC = 600.0
MAX_SUBMISSIONS = 16
MAX_GRADED_BYTES = 8_000_000
"""Of all but probes and variants."""
"""Probes, and variants. Each is run, and whether it is accepted on validation tells whoever wrote it one bit."""
IMPORT = re.compile(rb"^\s*(?:from|import)\s+([A-Za-z_][\w.]*)", re.MULTILINE)


class HarnessError(ToolError):
    """The harness directory does not keep the contract; whoever wrote it can mend it."""


@dataclass(frozen=True)
class Metric:
    """What `score` returns under `name`, where better lies, and from which mean on a submission is accepted."""

    name: str
    direction: Literal["maximize", "minimize"]
    bounds: tuple[float, float]
    accept: float

    @property
    def worst(self) -> float:
        return self.bounds[0] if self.direction == "maximize" else self.bounds[1]

    @property
    def best(self) -> float:
        return self.bounds[1] if self.direction == "maximize" else self.bounds[0]

    def better(self, value: float, other: float) -> bool:
        """Whether `value` is strictly better than `other`."""
        return value > other if self.direction == "maximize" else value < other

    def accepts(self, mean: float) -> bool:
        """Whether a mean reaches the threshold; a rounding error of 1e-9 does not decide."""
        return mean >= self.accept - 1e-9 if self.direction == "maximize" else mean <= self.accept + 1e-9


@dataclass(frozen=True)
class Harness:
    """A parsed harness; `tree` holds its exact bytes."""

    tree: FileTree
    metric: Metric
    requirements: Mapping[str, tuple[str, ...]]
    grading_sec: float

    @property
    def digest(self) -> str:
        return self.tree.digest

    @cached_property
    def grading_tree(self) -> FileTree:
        """What the grading container gets: everything but probes and variants."""
        return self.tree.without("probes").without("variants")

    @cached_property
    def functions(self) -> frozenset[str]:
        """Names of the functions written in the graded files; a check must be one of them."""
        sources = (data for path, data in self.grading_tree.files.items() if path.endswith(".py"))
        texts = (data.decode(errors="replace") for data in sources)
        return frozenset(name for text in texts for name in re.findall(r"\bdef\s+(\w+)", text))

    @cached_property
    def imports(self) -> list[str]:
        """Modules that the graded files import and do not bring themselves."""
        own = {path.split("/")[0].removesuffix(".py") for path in self.grading_tree.files}
        sources = (data for path, data in self.grading_tree.files.items() if path.endswith(".py"))
        found = {name.decode() for data in sources for name in IMPORT.findall(data)}
        return sorted(name for name in found if name.split(".")[0] not in own)

    @cached_property
    def probes(self) -> dict[str, FileTree]:
        return _submissions(self.tree.subtree("probes"))

    @cached_property
    def variants(self) -> dict[str, FileTree]:
        return _submissions(self.tree.subtree("variants"))


def parse_harness(tree: FileTree) -> Harness:
    """Read a harness from its files; HarnessError names the file, the key and what to write instead."""
    _check_files(tree)
    table = _read_toml(tree)
    return Harness(
        tree=tree,
        metric=_metric(_section(table, "metric")),
        requirements=_requirements(_section(table, "requirements", default={})),
        grading_sec=_number(
            _section(table, "timeouts", default={}),
            "timeouts",
            "grading_sec",
            default=60.0,
            low=0.1,
            high=MAX_GRADING_SEC,
        ),
    )


def _check_size(graded: FileTree) -> None:
    if (size := sum(map(len, graded.files.values()))) > MAX_GRADED_BYTES:
        raise HarnessError(
            f"it has {size:,} bytes",
            where="harness",
            remedy=f"Keep it to {MAX_GRADED_BYTES:,}: every grading moves it.",
        )


def _check_files(tree: FileTree) -> None:
    for name in ("harness.toml", "metrics.py"):
        if name not in tree:
            raise HarnessError(f"{name} is missing", where="harness", remedy=f"Write {name} at the top of the harness.")
    graded = tree.without("probes").without("variants")
    _check_size(graded)
    if not any(_is_check(path) for path in graded):
        raise HarnessError(
            "there is no test_*.py", where="harness", remedy="Write at least one check, as a pytest function."
        )
    forbidden = [path for path in graded if path.rsplit("/", 1)[-1] in FORBIDDEN or path.endswith(".pth")]
    if forbidden:
        raise HarnessError(
            f"{forbidden[0]} is not allowed in a harness", where="harness", remedy="Put fixtures into test_*.py."
        )
    for kind in ("probes", "variants"):
        if (count := len(tree.subtree(kind).directories())) > MAX_SUBMISSIONS:
            raise HarnessError(
                f"there are {count} {kind}", where="harness", remedy=f"Keep the {MAX_SUBMISSIONS} that tell most."
            )
        idle = [name for name, each in _submissions(tree.subtree(kind)).items() if "reproduce.sh" not in each]
        if idle:
            raise HarnessError(
                f"{kind}/{idle[0]} has no reproduce.sh", where="harness", remedy="Each is a whole submission."
            )


def _is_check(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name.startswith("test_") and name.endswith(".py")


def _submissions(tree: FileTree) -> dict[str, FileTree]:
    return {name: tree.subtree(name) for name in tree.directories()}


def _read_toml(tree: FileTree) -> dict[str, Any]:
    try:
        return read_toml(tree.files["harness.toml"])
    except ValueError as error:
        raise HarnessError(str(error), where="harness.toml") from None


def _section(table: dict[str, Any], name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
    section = table.get(name, default)
    if not isinstance(section, dict):
        raise HarnessError(
            f"[{name}] is missing or not a table", where="harness.toml", remedy=f"Write a [{name}] table."
        )
    return section


def _metric(section: dict[str, Any]) -> Metric:
    name = section.get("name")
    if not isinstance(name, str) or not name:
        raise HarnessError(
            f"metric.name is {shown(name)}", where="harness.toml", remedy='Name a key of score(), e.g. "score".'
        )
    direction = section.get("direction", "maximize")
    if direction not in ("maximize", "minimize"):
        raise HarnessError(
            f"metric.direction is {shown(direction)}", where="harness.toml", remedy='Use "maximize" or "minimize".'
        )
    bounds = section.get("bounds")
    if not isinstance(bounds, list) or len(bounds) != 2 or not all(_is_finite(bound) for bound in bounds):
        raise HarnessError(
            f"metric.bounds is {shown(bounds)}", where="harness.toml", remedy="Give two numbers: [lowest, highest]."
        )
    low, high = float(bounds[0]), float(bounds[1])
    if low >= high:
        raise HarnessError(
            f"metric.bounds is {shown(bounds)}", where="harness.toml", remedy="The first must be below the second."
        )
    accept = _number(section, "metric", "accept", default=None, low=low, high=high)
    metric = Metric(name, direction, (low, high), accept)
    if metric.accepts(metric.worst):
        raise HarnessError(
            f"metric.accept = {accept} accepts the worst score",
            where="harness.toml",
            remedy=f"{'Raise' if direction == 'maximize' else 'Lower'} the bar, or mend metric.direction.",
        )
    return metric


def _requirements(section: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    for name, checks in section.items():
        if not isinstance(checks, list) or not checks or not all(isinstance(check, str) for check in checks):
            raise HarnessError(
                f"requirements.{_key(name)} is {shown(checks)}",
                where="harness.toml",
                remedy='List check names: ["test_…"].',
            )
    return {name: tuple(checks) for name, checks in section.items()}


def _number(section: dict[str, Any], table: str, key: str, *, default: float | None, low: float, high: float) -> float:
    value: Any = section.get(key, default)
    if not _is_finite(value) or not low <= value <= high:
        raise HarnessError(
            f"{table}.{key} is {shown(value)}", where="harness.toml", remedy=f"Give a number in [{low}, {high}]."
        )
    return float(value)


def _is_finite(value: Any) -> bool:
    """Whether it is a number that a float can hold; TOML's integers have no end."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _key(name: str) -> str:
    """A key as it stands in an error: quoted when it needs to be."""
    return name if re.fullmatch(r"[\w-]{1,64}", name) else shown(name)

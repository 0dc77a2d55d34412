"""A harness of the zoo: sound, or flawed with a witness that shows it.

On disk a base task is a folder with `task/`, a sound harness in `base/`, and overlays of it in `sound/NAME/` and
`flawed/NAME/`, each with a `specimen.toml`. A flawed one has a family, a twin (the same harness without the fault) and a
`witness/`: a submission that it judges wrongly or unsteadily while the twin does not.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from evals.task import Task, parse_task
from tools.files import FileTree

HOME = Path(__file__).parent
FAMILIES = (
    "vacuous assertion",
    "wrong metric or direction",
    "over-strict",
    "leak or contamination",
    "tamperable",
    "fail-open",
    "nondeterministic or stateful",
    "self-report trust",
    "timing",
    "underpowered",
    "requirement gap",
    "metric bug",
)
SET_ASIDE = ("requirement gap", "metric bug")
"""Not looked at while thresholds are chosen; reported apart."""

WitnessKind = Literal["wrongly_accepted", "wrongly_refused", "unstable"]


@dataclass(frozen=True)
class Witness:
    """What shows the fault: a submission, and what goes wrong with it. `how` brings an unstable score about."""

    submission: FileTree
    kind: WitnessKind
    how: str = ""


@dataclass(frozen=True)
class Specimen:
    """One harness; `witness` is there exactly when it is flawed."""

    task_name: str
    name: str
    what: str
    harness: FileTree
    task: Task
    family: str = ""
    subtle: bool = False
    odd: bool = False
    twin: str = ""
    witness: Witness | None = None

    @property
    def id(self) -> str:
        return f"{self.task_name}/{'flawed' if self.witness else 'sound'}/{self.name}"

    @property
    def is_flawed(self) -> bool:
        return self.witness is not None


def base_tasks(home: Path = HOME) -> list[str]:
    """Names of the base tasks."""
    return sorted(path.parent.name for path in home.glob("*/task"))


def load_zoo(home: Path = HOME) -> list[Specimen]:
    """All specimens, task by task; the sound ones first, beginning with the base itself."""
    return [specimen for name in base_tasks(home) for specimen in _of_task(home / name)]


def twin_of(specimen: Specimen, zoo: list[Specimen]) -> Specimen:
    """The sound harness that a flawed one was made from."""
    sound = (each for each in zoo if each.task_name == specimen.task_name and not each.is_flawed)
    return next(each for each in sound if each.name == specimen.twin)


def _of_task(folder: Path) -> Iterator[Specimen]:
    base = FileTree.from_directory(folder / "base")
    yield Specimen(folder.name, "base", "the harness that the others are made from", base, _task(folder))
    for kind in ("sound", "flawed"):
        for path in sorted((folder / kind).glob("*/specimen.toml")):
            yield _specimen(folder, path.parent, base, flawed=kind == "flawed")


def _specimen(folder: Path, place: Path, base: FileTree, *, flawed: bool) -> Specimen:
    told: dict[str, Any] = tomllib.loads((place / "specimen.toml").read_text(encoding="utf-8"))
    tree = FileTree.from_directory(place)
    overlay = FileTree(
        {
            path: data
            for path, data in tree.files.items()
            if path != "specimen.toml" and not path.startswith(("witness/", "task/"))
        }
    )
    kept = FileTree({path: data for path, data in base.files.items() if path not in told.get("remove", [])})
    witness = told.get("witness", {})
    return Specimen(
        folder.name,
        place.name,
        told["what"],
        kept.merged(overlay),
        _task(folder, place / "task" if (place / "task").is_dir() else None),
        family=told.get("family", ""),
        subtle=told.get("subtle", False),
        odd=told.get("odd", False),
        twin=told.get("twin", "base") if flawed else "",
        witness=Witness(tree.subtree("witness"), witness["kind"], witness.get("how", "")) if flawed else None,
    )


@cache
def _task(folder: Path, overlay: Path | None = None) -> Task:
    tree = FileTree.from_directory(folder / "task")
    if overlay is not None:
        tree = tree.merged(FileTree.from_directory(overlay))
    return parse_task(tree, where=str(folder / "task"))

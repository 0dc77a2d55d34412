"""A task directory, frozen.

A task is a valid Harbor task (schema 1.4); what is ours lies under `[metadata.evalwright]`. Loading checks everything
that can be checked without running anything, and every complaint names the file, the key, the value and the remedy. The
test split is not part of a loaded task: it is a source (a file or a generator) that registration draws from and seals
(evals/registration.py).
"""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evals.harness import Harness, parse_harness
from evals.splits import Split, check_disjoint, parse_cases
from tools.errors import AuthorError, ToolError
from tools.files import FileTree
from tools.sandbox import Limits

BUNDLED = Path(__file__).parent / "tasks"


class Strict(BaseModel):
    """A table whose unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Requirement(Strict):
    """One thing the task asks for; a harness maps its id to checks."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)


class Generator(Strict):
    """A program of the author that prints a split: `python3 FILE SPLIT SEED`."""

    generator: str


class SplitSources(Strict):
    """Where each split comes from: files, or for the test split a generator."""

    public: str
    validation: str
    test: str | Generator


class Budget(Strict):
    """What a run may spend; 0 means unbounded."""

    wall_clock_sec: float = Field(default=900, ge=0)
    tokens: int = Field(default=0, ge=0)
    cost_usd: float = Field(default=0, ge=0)
    steps: int = Field(default=0, ge=0)


class SubmissionRules(Strict):
    """Limits of one submission run."""

    timeout_sec: float = Field(default=60, gt=0)


class Ours(Strict):
    """`[metadata.evalwright]`: what Harbor does not know."""

    paper: str
    public: str
    requirements: tuple[Requirement, ...] = Field(min_length=1)
    splits: SplitSources
    network: bool = False
    feedback: Literal["score", "checks"] = "checks"
    submission: SubmissionRules = SubmissionRules()
    budget: Budget = Budget()


class Environment(BaseModel):
    """Harbor's `[environment]`, as far as we use it."""

    cpus: float = Field(default=1, gt=0)
    memory_mb: int = Field(default=2048, ge=64)
    storage_mb: int = Field(default=512, ge=16)


class Head(BaseModel):
    """Harbor's `[task]`."""

    name: str = Field(min_length=1)
    description: str = ""


class Metadata(BaseModel):
    """Harbor's free table, holding ours."""

    evalwright: Ours


class TaskFile(BaseModel):
    """`task.toml`."""

    schema_version: str
    task: Head
    metadata: Metadata
    environment: Environment = Environment()


@dataclass(frozen=True)
class Task:
    """A loaded task: its configuration, its texts and its files; no test case."""

    where: str
    config: TaskFile
    tree: FileTree
    public: Split
    validation: Split

    @property
    def ours(self) -> Ours:
        return self.config.metadata.evalwright

    @property
    def slug(self) -> str:
        """The last part of the task's name, fit for ids and file names."""
        return self.config.task.name.rsplit("/", 1)[-1]

    @property
    def digest(self) -> str:
        return self.tree.digest

    @property
    def instruction(self) -> str:
        return self.tree.text("instruction.md")

    @property
    def paper(self) -> str:
        return self.tree.text(self.ours.paper)

    @property
    def environment(self) -> FileTree:
        return self.tree.subtree("environment")

    @property
    def limits(self) -> Limits:
        box = self.config.environment
        return Limits(cpus=box.cpus, memory_mb=box.memory_mb, disk_mb=box.storage_mb)

    @property
    def workspace(self) -> FileTree:
        """What the agent's container starts with: the texts and the public data, nothing else."""
        texts = FileTree({"instruction.md": self.tree.files["instruction.md"], "paper.md": self.paper.encode()})
        return texts.merged(self.public_files.under("public"))

    @property
    def public_files(self) -> FileTree:
        """The public folder, which submissions find at /workspace/public too."""
        return self.tree.subtree(self.ours.public)

    @property
    def auditable(self) -> FileTree:
        """The task as the ledger may keep it: everything but the test cases, when they are a file."""
        test = self.ours.splits.test
        return self.tree if isinstance(test, Generator) else self.tree.merged(FileTree({test: b""}))

    @property
    def oracle(self) -> FileTree | None:
        """The author's own submission, if there is one."""
        return self.tree.subtree("solution/submission") or None

    @cached_property
    def reference(self) -> Harness | None:
        """The author's own harness, if there is one; used beside the agent's in an audit, never shown to it."""
        tree = self.tree.subtree("tests/reference")
        return parse_harness(tree) if tree else None


def load_task(name: str | Path) -> Task:
    """Load a task from a directory, or a bundled one by name; AuthorError says what to mend where."""
    root = find_task(name)
    try:
        tree = FileTree.from_directory(root)
    except ToolError as error:
        raise AuthorError(
            error.problem, where=str(root), remedy="A task directory holds only what the task needs"
        ) from None
    except OSError as error:
        raise AuthorError(
            f"cannot be read: {error.strerror}", where=str(root), remedy="Check the permissions"
        ) from None
    return parse_task(tree, where=str(root))


def parse_task(tree: FileTree, where: str) -> Task:
    """Check a task's files and freeze them; `where` names the place in complaints."""
    config = _read_config(tree, where)
    ours = config.metadata.evalwright
    _check_files(tree, ours, where)
    _check_texts(tree, ours, where)
    public = _read_split(tree, "public", ours.splits.public, where)
    validation = _read_split(tree, "validation", ours.splits.validation, where)
    check_disjoint([public, validation])
    _check_public(tree, ours, where)
    task = Task(where, config, tree, public, validation)
    _check_reference(task)
    return task


def find_task(name: str | Path) -> Path:
    """The directory of a task given by path or bundled name."""
    for candidate in (Path(name), BUNDLED / str(name)):
        if candidate.is_dir():
            return candidate.resolve()
    raise AuthorError(
        f"there is no task {str(name)!r}",
        remedy=f"Give a directory, or one of the bundled: {', '.join(bundled_tasks())}",
    )


def bundled_tasks() -> list[str]:
    """Names of the tasks that come with Evalwright."""
    return sorted(path.parent.name for path in BUNDLED.glob("*/task.toml"))


def _read_config(tree: FileTree, root: str) -> TaskFile:
    where = f"{root}/task.toml"
    if "task.toml" not in tree:
        raise AuthorError("there is no such file", where=where, remedy="docs/tasks.md shows a minimal one")
    try:
        return TaskFile.model_validate(tomllib.loads(tree.files["task.toml"].decode()))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AuthorError(f"not valid TOML: {error}", where=where, remedy="Mend that line") from None
    except ValidationError as error:
        raise AuthorError(_first_complaint(error), where=where, remedy="docs/tasks.md lists every key") from None


def _first_complaint(error: ValidationError) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    given = "" if first["type"] == "missing" else f", it is {str(first['input'])[:60]!r}"
    return f"{key}: {first['msg'].lower()}{given}{more}"


def _check_files(tree: FileTree, ours: Ours, where: str) -> None:
    test = ours.splits.test
    wanted = {
        "instruction.md": "instruction.md",
        "environment/Dockerfile": "environment/Dockerfile",
        "metadata.evalwright.paper": ours.paper,
        "metadata.evalwright.splits.public": ours.splits.public,
        "metadata.evalwright.splits.validation": ours.splits.validation,
        "metadata.evalwright.splits.test": test.generator if isinstance(test, Generator) else test,
    }
    for key, path in wanted.items():
        if path not in tree:
            raise AuthorError(
                f"{key} names {path!r}, and there is no such file", where=where, remedy="Write it or mend the key"
            )
    hidden = [path for key, path in wanted.items() if key.endswith((".validation", ".test"))]
    for path in hidden:
        if path.startswith(ours.public.rstrip("/") + "/"):
            raise AuthorError(
                f"{path} lies in the public folder {ours.public!r}, which the agent reads",
                where=where,
                remedy="Move it out",
            )
    names = [requirement.id for requirement in ours.requirements]
    if len(set(names)) < len(names):
        raise AuthorError(
            f"requirement ids are given twice: {names}", where=f"{where}/task.toml", remedy="Make them unique"
        )


def _check_texts(tree: FileTree, ours: Ours, where: str) -> None:
    for path in ("instruction.md", ours.paper):
        try:
            tree.text(path)
        except ToolError as error:
            raise AuthorError(error.problem, where=where, remedy="Save it as UTF-8") from None


def _read_split(tree: FileTree, name: str, path: str, where: str) -> Split:
    return Split(name, parse_cases(tree.files[path], where=f"{where}/{path}"))


def _check_public(tree: FileTree, ours: Ours, where: str) -> None:
    """No file in the public folder may hold validation cases, whatever its name and however it spaces its JSON."""
    hidden = {_squeezed(line) for line in tree.files[ours.splits.validation].splitlines() if line.strip()}
    for path, content in tree.subtree(ours.public).files.items():
        shared = sum(_squeezed(line) in hidden for line in content.splitlines())
        if shared:
            raise AuthorError(
                f"{ours.public}/{path} holds {shared} lines of the validation split {ours.splits.validation}",
                where=where,
                remedy="The agent reads the public folder: take them out",
            )


def _squeezed(line: bytes) -> bytes:
    return b"".join(line.split())


def _check_reference(task: Task) -> None:
    try:
        reference = task.reference
    except ToolError as error:
        raise AuthorError(f"tests/reference: {error}", where=task.where, remedy="Mend the reference harness") from None
    unknown = sorted(set(reference.requirements) - {r.id for r in task.ours.requirements}) if reference else []
    if unknown:
        raise AuthorError(
            f"tests/reference/harness.toml maps unknown requirements {unknown}",
            where=task.where,
            remedy="Use the task's ids",
        )


def describe(task: Task) -> dict[str, Any]:
    """What `task check` prints."""
    return {
        "task": task.config.task.name,
        "digest": task.digest,
        "public": len(task.public.cases),
        "validation": len(task.validation.cases),
        "test": "generator" if isinstance(task.ours.splits.test, Generator) else "file",
        "requirements": [requirement.id for requirement in task.ours.requirements],
        "oracle": task.oracle is not None,
        "reference": task.reference is not None,
    }

"""A task directory, frozen.

A task is a valid Harbor task (schema 1.4); what is ours lies under `[metadata.evalwright]`. Loading checks everything
that can be checked without running anything, and every complaint names the file, the key, the value and the remedy. The
test split is not part of a loaded task: it is a source (a file or a generator) that registration draws from and seals
(evals/registration.py).
"""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from evals.harness import Harness, parse_harness
from evals.splits import Split, check_disjoint, count_cases, parse_cases
from evals.toml import read_toml, shown
from tools.errors import AuthorError, ToolError
from tools.files import FileTree, safe_path
from tools.sandbox import Limits

BUNDLED = Path(__file__).parent / "tasks"
SCHEMA = re.compile(r"1\.\d{1,3}")
NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,99}/[A-Za-z0-9][\w.-]{0,99}", re.ASCII)
YEAR_SEC = 366 * 86_400
WEEK_SEC = 7 * 86_400
MUCH = 10**15
"""More tokens or steps than any run takes."""
TERABYTES_16 = 16 * 1024 * 1024
"""In MB; what Docker takes as a number of bytes ends far above."""


class Strict(BaseModel):
    """A table whose unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _inside(path: str) -> str:
    """A path in the task as the task's tree has it: "./public" and "public/" are "public"."""
    try:
        return safe_path(path)
    except ToolError:
        raise ValueError("write a path inside the task's directory, without '..'") from None


class Requirement(Strict):
    """One thing the task asks for; a harness maps its id to checks."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)


class Generator(Strict):
    """A program of the author that prints a split: `python3 FILE SPLIT SEED`."""

    generator: str

    _paths = field_validator("generator")(_inside)


class SplitSources(Strict):
    """Where each split comes from: files, or for the test split a generator."""

    public: str
    validation: str
    test: str | Generator

    _paths = field_validator("public", "validation")(_inside)

    @field_validator("test")
    @classmethod
    def _test_path(cls, test: str | Generator) -> str | Generator:
        return _inside(test) if isinstance(test, str) else test


class Budget(Strict):
    """What a run may spend; 0 means unbounded."""

    wall_clock_sec: float = Field(default=900, ge=0, le=YEAR_SEC)
    tokens: int = Field(default=0, ge=0, le=MUCH)
    cost_usd: float = Field(default=0, ge=0, le=MUCH)
    steps: int = Field(default=0, ge=0, le=MUCH)


class SubmissionRules(Strict):
    """Limits of one submission run."""

    timeout_sec: float = Field(default=60, gt=0, le=WEEK_SEC)


class Ours(Strict):
    """`[metadata.evalwright]`: what Harbor does not know."""

    paper: str
    public: str
    requirements: tuple[Requirement, ...] = Field(min_length=1)
    splits: SplitSources
    tolerance: float | None = Field(default=None, ge=0, le=1)
    """How far, relatively, a number may be from its expectation; what instruction.md says about it, for the gate."""
    effect: float | None = Field(default=None, gt=0, le=1)
    """The smallest difference in the mean score, as a share of its range, that the splits must be able to show."""
    network: bool = False
    feedback: Literal["score", "checks"] = "checks"
    submission: SubmissionRules = SubmissionRules()
    budget: Budget = Budget()

    _paths = field_validator("paper", "public")(_inside)


class Environment(BaseModel):
    """Harbor's `[environment]`, as far as we use it."""

    cpus: float = Field(default=1, ge=0.01, le=1024)
    memory_mb: int = Field(default=2048, ge=64, le=TERABYTES_16)
    storage_mb: int = Field(default=512, ge=16, le=TERABYTES_16)


class Head(BaseModel):
    """Harbor's `[task]`."""

    name: str
    description: str = ""

    @field_validator("name")
    @classmethod
    def _name(cls, name: str) -> str:
        if not NAME.fullmatch(name):
            raise ValueError("write ORGANISATION/NAME, each in letters, digits, '_', '-' and '.'")
        return name


class Metadata(BaseModel):
    """Harbor's free table, holding ours."""

    evalwright: Ours


class TaskFile(BaseModel):
    """`task.toml`."""

    schema_version: str
    task: Head
    metadata: Metadata
    environment: Environment = Environment()

    @field_validator("schema_version")
    @classmethod
    def _schema_version(cls, version: str) -> str:
        if not SCHEMA.fullmatch(version):
            raise ValueError('write "1.4": Evalwright reads version 1 of Harbor\'s schema')
        return version


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
    def visible(self) -> FileTree:
        """What the agent, a submission or the image may see, at its place in the task."""
        seen = self.tree.subtree("environment").under("environment").merged(self.public_files.under(self.ours.public))
        # The requirements' texts are read too.
        texts = ("task.toml", "instruction.md", self.ours.paper)
        return seen.merged(FileTree({path: self.tree.files[path] for path in texts}))

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
        _check_entries(root)
        tree = FileTree.from_directory(root)
    except ToolError as error:
        raise AuthorError(
            error.problem, where=str(root), remedy="A task directory holds only what the task needs"
        ) from None
    except OSError as error:
        raise AuthorError(
            f"cannot be read: {error.strerror}", where=str(error.filename or root), remedy="Check the permissions"
        ) from None
    task = parse_task(tree, where=str(root))
    _check_test_file(task)
    return task


def parse_task(tree: FileTree, where: str) -> Task:
    """Check a task's files and freeze them; `where` names the place in complaints."""
    config = _read_config(tree, where)
    ours = config.metadata.evalwright
    _check_files(tree, ours, where)
    _check_places(tree, ours, where)
    _check_texts(tree, ours, where)
    public = _read_split(tree, "public", ours.splits.public, where)
    validation = _read_split(tree, "validation", ours.splits.validation, where)
    check_disjoint([public, validation])
    task = Task(where, config, tree, public, validation)
    check_hidden(task, validation, written=tree.files[ours.splits.validation])
    if isinstance(ours.splits.test, str):
        check_hidden(task, Split("test", ()), written=tree.files[ours.splits.test])
    _check_oracle(task)
    _check_reference(task)
    return task


def find_task(name: str | Path) -> Path:
    """The directory of a task given by path or bundled name."""
    bundled = bundled_tasks()
    try:
        if str(name) and Path(name).is_dir():
            return Path(name).resolve()
    except (OSError, ValueError):  # a name that no file can have, or a directory that is closed to us
        pass
    if str(name) in bundled:
        return (BUNDLED / str(name)).resolve()
    raise AuthorError(
        f"there is no task {shown(str(name))}",
        remedy=f"Give a directory, or one of the bundled: {', '.join(bundled)}",
    )


def bundled_tasks() -> list[str]:
    """Names of the tasks that come with Evalwright."""
    return sorted(path.parent.name for path in BUNDLED.glob("*/task.toml"))


def _read_config(tree: FileTree, root: str) -> TaskFile:
    where = f"{root}/task.toml"
    if "task.toml" not in tree:
        raise AuthorError("there is no such file", where=where, remedy="docs/tasks.md shows a minimal one")
    try:
        table = read_toml(tree.files["task.toml"])
    except ValueError as error:
        raise AuthorError(str(error), where=where, remedy="Mend that line") from None
    try:
        return TaskFile.model_validate(table)
    except ValidationError as error:
        raise AuthorError(_first_complaint(error), where=where, remedy="docs/tasks.md lists every key") from None


def _first_complaint(error: ValidationError) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    given = "" if first["type"] == "missing" else f", it is {_written(first['input'])}"
    message = first["msg"].removeprefix("Value error, ")
    return f"{key}: {message[:1].lower()}{message[1:]}{given}{more}"


def _written(value: object) -> str:
    """A value of task.toml in quotes, as the docs write values."""
    return shown(value) if isinstance(value, str) or len(shown(value)) > 60 else repr(shown(value))


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
    names = [requirement.id for requirement in ours.requirements]
    if len(set(names)) < len(names):
        raise AuthorError(
            f"requirement ids are given twice: {names}", where=f"{where}/task.toml", remedy="Make them unique"
        )


def _check_places(tree: FileTree, ours: Ours, where: str) -> None:
    """The public folder is a folder, and neither it nor anything else that is seen lies where things are hidden."""
    if not tree.subtree(ours.public):
        kind = "a file, not a directory" if ours.public in tree else "no directory with files"
        raise AuthorError(
            f"metadata.evalwright.public names {ours.public!r}, and that is {kind}",
            where=where,
            remedy="Name the directory that the agent may read",
        )
    test = ours.splits.test
    hidden = (ours.splits.validation, test.generator if isinstance(test, Generator) else test)
    for folder, why in ((ours.public, "the public folder"), ("environment", "the image's folder")):
        for path in hidden:
            if path.startswith(f"{folder}/"):
                raise AuthorError(
                    f"{path} lies in {why} {folder!r}, which the agent reads", where=where, remedy="Move it out"
                )
    for key, path in (("public", ours.public), ("paper", ours.paper)):
        if path.split("/")[0] in ("solution", "tests"):
            raise AuthorError(
                f"metadata.evalwright.{key} is {path!r}, and {path.split('/')[0]}/ is never shown to the agent",
                where=where,
                remedy="Move it out",
            )


def _check_texts(tree: FileTree, ours: Ours, where: str) -> None:
    for path in ("instruction.md", ours.paper):
        try:
            text = tree.text(path)
        except ToolError as error:
            raise AuthorError(error.problem, where=where, remedy="Save it as UTF-8") from None
        if not text.strip():
            raise AuthorError(f"{path} is empty", where=where, remedy="Write what the agent is to read")


def _read_split(tree: FileTree, name: str, path: str, where: str) -> Split:
    return Split(name, parse_cases(tree.files[path], where=f"{where}/{path}"))


def check_hidden(task: Task, split: Split, *, written: bytes = b"") -> None:
    """AuthorError when a file that the agent or an image sees holds cases of a hidden split.

    `written` is the split's file, where it has one. Cases are found whatever the file's name, however it spaces and
    wraps its JSON, and inside other text; not when they are worded otherwise or packed.
    """
    for path, content in task.visible.files.items():
        if count := count_cases(split, content, written=written):
            raise AuthorError(
                f"{path} holds {count} {'case' if count == 1 else 'cases'} of the {split.name} split",
                where=task.where,
                remedy="The agent or its image sees that file: take them out",
            )


def _check_entries(root: Path) -> None:
    """Only files and directories: what else there is would be left out without a word. OSError when one is closed."""
    for path in _entries(root):
        mode = path.lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            kind = "a link" if stat.S_ISLNK(mode) else "neither a file nor a directory"
            raise AuthorError(
                f"{str(path.relative_to(root))!r} is {kind}", where=str(root), remedy="Put the file itself there"
            )


def _entries(root: Path) -> Iterator[Path]:
    def stop(error: OSError) -> None:
        raise error

    for folder, directories, files in os.walk(root, onerror=stop):
        yield from (Path(folder, name) for name in (*directories, *files) if "__pycache__" not in folder)


def _check_test_file(task: Task) -> None:
    """A test split in a file is read when its author loads the task, so that registration has nothing to find."""
    path = task.ours.splits.test
    if isinstance(path, str):
        check_disjoint([task.public, task.validation, _read_split(task.tree, "test", path, task.where)])


def _check_oracle(task: Task) -> None:
    if task.oracle is not None and "reproduce.sh" not in task.oracle:
        raise AuthorError(
            "solution/submission has no reproduce.sh, so it is no submission",
            where=task.where,
            remedy="Write one, or remove the directory",
        )


def _check_reference(task: Task) -> None:
    try:
        reference = task.reference
    except ToolError as error:
        raise AuthorError(f"tests/reference: {error}", where=task.where, remedy="Mend the reference harness") from None
    if reference is None:
        return
    wanted, mapped = {requirement.id for requirement in task.ours.requirements}, set(reference.requirements)
    checks = {check for names in reference.requirements.values() for check in names}
    for problem, names, remedy in (
        ("maps unknown requirements", mapped - wanted, "Use the task's ids"),
        ("maps no check to the requirements", wanted - mapped, "Name a check for each"),
        ("names checks that no file has", checks - reference.functions, "Write them, or mend the names"),
    ):
        if names:
            raise AuthorError(
                f"tests/reference/harness.toml {problem} {sorted(names)}", where=task.where, remedy=remedy
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

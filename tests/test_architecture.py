"""The house stands as docs/design.md draws it: imports go one way, nothing is cyclic, no file or function is endless.

A module is a file that can be imported: every folder above it, up to the repository's root, is a package. Other
Python files (a task's generator, a harness of the zoo) are data, held to the size limits only.
"""

import ast
import importlib
import subprocess
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ORDER = ("tools", "evals", "harness_builder", "agent")
"""Each may import itself and what stands to its left."""
ASIDE = "serving"
ASIDE_MAY_IMPORT = ("tools.errors", "evals.ledger")
COMPOSITION_ROOT = "agent.cli"
PACKAGES = (*ORDER, ASIDE)
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60

Imports = dict[str, set[str]]
"""Module → the modules of this repository that it imports, anywhere in its text."""


def python_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).exists()]


def module_name(path: Path) -> str | None:
    """The dotted name of a module of the five packages; None for any other file."""
    relative = path.relative_to(ROOT)
    parents = [ROOT.joinpath(*relative.parts[:depth]) for depth in range(1, len(relative.parts))]
    if relative.parts[0] not in PACKAGES or not all((parent / "__init__.py").exists() for parent in parents):
        return None
    return ".".join(relative.with_suffix("").parts).removesuffix(".__init__")


def modules() -> dict[str, Path]:
    return {name: path for path in python_files() if (name := module_name(path))}


def imported_modules(tree: ast.AST, module: str, is_package: bool, known: set[str]) -> set[str]:
    """The modules of `known` that any import statement in `tree` names.

    `from evals.ledger import Ledger` names `evals.ledger`, `from evals import task` names `evals.task` alone: that a
    package's `__init__` runs first is no design.
    """
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            anchor = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            source = ".".join([*anchor, *([node.module] if node.module else [])])
            paths = {f"{source}.{alias.name}" for alias in node.names}
            names |= {path if path in known else source for path in paths}
    return names & known


def all_imports() -> Imports:
    found = modules()
    return {
        name: imported_modules(ast.parse(path.read_text()), name, path.name == "__init__.py", set(found)) - {name}
        for name, path in found.items()
    }


def may_import(importer: str, imported: str) -> bool:
    here, there = importer.partition(".")[0], imported.partition(".")[0]
    if here == there or (there == ASIDE and importer == COMPOSITION_ROOT):
        return True
    if here == ASIDE:
        return any(imported == allowed or imported.startswith(f"{allowed}.") for allowed in ASIDE_MAY_IMPORT)
    return there != ASIDE and ORDER.index(there) < ORDER.index(here)


def against_the_direction(imports: Imports) -> list[str]:
    return [f"{a} imports {b}" for a in sorted(imports) for b in sorted(imports[a]) if not may_import(a, b)]


def first_cycle(imports: Imports) -> list[str]:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def long_functions(source: str, limit: int) -> list[str]:
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [f.name for f in functions if (f.end_lineno or f.lineno) - f.lineno + 1 > limit]


def test_imports_go_only_leftwards() -> None:
    assert against_the_direction(all_imports()) == []


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("agent.graph", "tools.files", True),
        ("harness_builder.gate", "evals.grading", True),
        ("tools.sandbox", "evals.task", False),
        ("evals.grading", "harness_builder.gate", False),
        ("harness_builder.gate", "agent.model", False),
        ("serving.engine", "tools.errors", True),
        ("serving.engine", "evals.ledger.recorder", True),
        ("serving.engine", "tools.files", False),
        ("serving.engine", "evals.ledgers", False),
        ("agent.cli", "serving.engine", True),
        ("agent.graph", "serving.engine", False),
        ("evals.task", "serving.engine", False),
    ],
)
def test_the_direction_is_the_one_docs_design_draws(importer: str, imported: str, allowed: bool) -> None:
    assert (against_the_direction({importer: {imported}}) == []) is allowed


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert first_cycle(all_imports()) == []


def test_a_circle_of_three_is_found() -> None:
    assert set(first_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("import tools.files", {"tools.files"}),
        ("from tools import files", {"tools.files"}),
        ("from tools.files import FileTree, safe_path", {"tools.files"}),
        ("from evals.ledger import Ledger", {"evals.ledger"}),
        ("from .files import FileTree", {"tools.files"}),
        ("from evals import ledger, Missing", {"evals.ledger", "evals"}),
        ("def late():\n    from evals import ledger", {"evals.ledger"}),
        ("import json, os.path", set()),
    ],
)
def test_every_form_of_import_is_seen(statement: str, found: set[str]) -> None:
    known = {"tools", "tools.files", "tools.image", "evals", "evals.ledger"}
    assert imported_modules(ast.parse(statement), "tools.image", False, known) == found


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_imported_from_this_repository(package: str) -> None:
    file = importlib.import_module(package).__file__
    assert file == str(ROOT / package / "__init__.py")


def test_pyproject_lists_exactly_the_packages_there_are() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    on_disk = [name for name, path in modules().items() if path.name == "__init__.py"]
    assert sorted(listed) == sorted(on_disk)


def test_tests_are_no_package() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_no_file_is_longer_than_600_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in python_files()}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_FILE_LINES} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    long = {str(p.relative_to(ROOT)): long_functions(p.read_text(), MAX_FUNCTION_LINES) for p in python_files()}
    assert {name: functions for name, functions in long.items() if functions} == {}


def test_a_function_of_61_lines_is_long_and_one_of_60_is_not() -> None:
    source = "def fits():\n" + "    x = 1\n" * 59 + "\nasync def overflows():\n" + "    x = 1\n" * 60
    assert long_functions(source, MAX_FUNCTION_LINES) == ["overflows"]

"""The plugin that docs/tools.md shows, typed off the page and installed as it says, is found and passes its test."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOWN = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def python(*arguments: str, cwd: Path, site: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the files of the page."""
    folder = tmp_path_factory.mktemp("typed")
    for name, text in SHOWN.findall((ROOT / "docs" / "tools.md").read_text(encoding="utf-8")):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def site(typed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is installed: not in the environment the tests run in, and without asking an index."""
    folder = tmp_path_factory.mktemp("site")
    offline = ("-q", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(folder))
    done = python("-m", "pip", "install", *offline, ".", cwd=typed, site=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_page_shows_a_whole_plugin(typed: Path) -> None:
    names = ["evalwright_word_count.py", "pyproject.toml", "test_word_count.py"]
    assert sorted(path.name for path in typed.iterdir() if path.is_file()) == names


def test_its_tool_is_listed_with_its_origin(typed: Path, site: Path) -> None:
    listed = python("-m", "agent.cli", "tools", cwd=typed, site=site)
    assert listed.returncode == 0, listed.stderr
    assert re.search(r"^word_count +plugin evalwright-word-count 1\.0\.0 +Count the words", listed.stdout, re.MULTILINE)


def test_its_own_test_passes_on_the_installed_code(typed: Path, site: Path) -> None:
    done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_word_count.py", cwd=typed, site=site)
    assert done.returncode == 0, done.stdout + done.stderr

"""What we tell people to type works where they type it."""

import subprocess
import sys
from pathlib import Path

import pytest

from agent.hints import called, spelled, to_type


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an environment whose command only tells that it was called, beside the Python that runs."""
    folder = tmp_path / "an environment" / "bin"
    folder.mkdir(parents=True)
    (folder / "evalwright").write_text("#!/bin/sh\necho called\n")
    (folder / "evalwright").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return folder


def typed(line: str, cwd: Path) -> str:
    return subprocess.run(["bash", "-c", line], cwd=cwd, capture_output=True, text=True, check=True).stdout


def test_a_command_that_is_not_on_the_path_is_named_by_its_own_path(environment: Path, tmp_path: Path) -> None:
    assert called() == "'an environment/bin/evalwright'"
    assert typed(called(), tmp_path) == "called\n"


def test_from_elsewhere_that_path_is_absolute(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert called() == f"'{environment}/evalwright'"
    assert typed(called(), Path("/")) == "called\n"


def test_a_command_that_the_path_finds_is_named_as_it_is(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{environment}:/usr/bin:/bin")
    assert called() == "evalwright"


def test_another_command_of_that_name_on_the_path_is_not_meant(environment: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "evalwright").write_text("#!/bin/sh\n")
    (other / "evalwright").chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{other}:/usr/bin:/bin")
        assert called() == "'an environment/bin/evalwright'"


@pytest.mark.usefixtures("environment")
def test_remedies_are_spelled_that_way_too() -> None:
    assert spelled("Run `evalwright setup`, or `evalwright doctor`") == (
        "Run `'an environment/bin/evalwright' setup`, or `'an environment/bin/evalwright' doctor`"
    )


@pytest.mark.usefixtures("environment")
def test_the_ledger_is_named_where_it_is_not_the_default_one(tmp_path: Path) -> None:
    assert to_type("audit", "welch-1", Path("runs.db")).endswith("evalwright' audit welch-1")
    assert to_type("audit", "welch-1", tmp_path / "runs.db").endswith("evalwright' audit welch-1")
    assert to_type("audit", "welch-1", Path("my runs.db")).endswith("audit welch-1 --db 'my runs.db'")

"""What must not be in the repository: secrets, databases, weights, large files, names of registries or machines."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAX_BYTES = 1_000_000
UNWANTED_SUFFIXES = {
    ".db",
    ".sqlite",
    ".sqlite3",
    ".gguf",
    ".safetensors",
    ".bin",
    ".pt",
    ".whl",
    ".pem",
    ".key",
    ".env",
}
SQLITE_MAGIC = b"SQLite format 3\0"

# Written so that this file does not match itself.
SECRET = re.compile(
    rb"-----BEGIN [A-Z ]*PRIVATE[ ]KEY-----|\bsk-[A-Za-z0-9_-]{24,}|\bhf_[A-Za-z0-9]{30,}|\bgh[pousr]_[A-Za-z0-9]{36}"
    rb"|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[A-Za-z0-9-]{20,}"
)
HOST = re.compile(
    rb"(?i)(?:pypi|python[h]osted)[.]org|registry[.]npmjs|(?:deb|security|ftp)[.]debian[.]org"
    rb"|(?:archive|security|ports)[.]ubuntu[.]com|registry-1[.]docker|(?:auth|hub)[.]docker[.]|hugging[f]ace[.]co/api"
)


def tracked() -> Iterator[Path]:
    """Files that git has, and those that `git add .` would give it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return (ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file())


def naming(pattern: re.Pattern[bytes]) -> list[str]:
    """Where `pattern` stands: "file:line"."""
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        for number, line in enumerate(path.read_bytes().splitlines(), start=1)
        if pattern.search(line)
    ]


def test_no_secret_is_tracked() -> None:
    assert naming(SECRET) == []


def test_no_registry_host_is_named() -> None:
    assert naming(HOST) == []


@pytest.mark.parametrize(
    "line",
    [
        b"-----BEGIN RSA PRIVATE" + b" KEY-----",
        b"OPENAI_API_KEY=sk-" + b"a1" * 20,
        b"token = 'hf_" + b"Ab3" * 11 + b"'",
        b"ghp_" + b"x" * 36,
    ],
)
def test_a_secret_would_be_found(line: bytes) -> None:
    assert SECRET.search(line)


@pytest.mark.parametrize("line", [b"https://py" + b"pi.org/simple", b"http://deb." + b"debian.org/debian"])
def test_a_registry_host_would_be_found(line: bytes) -> None:
    assert HOST.search(line)


def test_no_database_weights_or_keys_are_tracked() -> None:
    unwanted = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if path.suffix in UNWANTED_SUFFIXES or path.read_bytes().startswith(SQLITE_MAGIC)
    ]
    assert unwanted == []


def test_no_tracked_file_is_larger_than_a_megabyte() -> None:
    assert [str(path.relative_to(ROOT)) for path in tracked() if path.stat().st_size > MAX_BYTES] == []


def test_constraints_pin_exact_versions_and_nothing_else() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9][\w.-]*==[0-9][\w.]*", line)] == []


def test_every_requirement_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    required = {name_of(line) for line in [*project["dependencies"], *extras["cpu"], *extras["dev"]]}
    pinned = {name_of(line) for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    assert required - pinned == set()


def name_of(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    assert match, f"not a requirement: {requirement!r}"
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def test_ci_runs_the_command_that_the_readme_names() -> None:
    command = (ROOT / ".ci" / "run").read_text().splitlines()[-1]
    assert command == "exec make test </dev/null"
    assert "make test" in (ROOT / "README.md").read_text()

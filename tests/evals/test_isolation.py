"""What is in reach of the code in the solution container and in the grading container: looked at from inside.

One submission and one harness search their containers, read every file they can, and report as outputs and metrics.
Each search also looks for something that it must find, so that finding nothing else means something.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from evals.grading import Grader
from evals.harness import parse_harness
from evals.ledger import Ledger
from evals.score import ScoreState
from evals.splits import Case, Keyring, Split, seal_split
from tools.files import FileTree

MARKERS = {
    "input": "marker-of-an-input",
    "public": "marker-of-public-data",
    "validation": "marker-of-validation",
    "test": "marker-of-the-sealed-test",
    "submission": "marker-of-the-submission",
    "harness": "marker-of-the-harness",
    "secret": "marker-of-a-secret-in-the-environment",
}
SPLIT = Split("validation", (Case("v-0", {"x": MARKERS["input"]}, MARKERS["validation"]),))

# Markers come reversed, or the search would find itself.
SEARCH = """\
import json, os, socket
def files():
    for folder, folders, names in os.walk("/"):
        if folder in ("/proc", "/sys"):
            folders.clear()
        yield from (os.path.join(folder, name) for name in names)
    for process in filter(str.isdigit, os.listdir("/proc")):
        yield from (f"/proc/{process}/{name}" for name in ("environ", "cmdline", "mountinfo"))
def content(path):
    try:
        return open(path, "rb").read() if os.path.isfile(path) else b""
    except OSError:
        return b""
def connects(address):
    try:
        socket.create_connection(address, timeout=1).close()
        return True
    except OSError:
        return False
def resolves(name):
    try:
        return bool(socket.getaddrinfo(name, 443))
    except OSError:
        return False
def search(reversed_markers):
    words = {name: marker[::-1].encode() for name, marker in reversed_markers.items()}
    found = dict.fromkeys(words, 0)
    databases = sockets = 0
    for path in files():
        data = content(path)
        for name, word in words.items():
            found[name] += word in data
        databases += data.startswith(b"SQLite format 3") or path.endswith("runs.db")
        sockets += path.endswith("docker.sock")
    return {
        "found": found,
        "databases": databases,
        "sockets": sockets,
        "interfaces": sorted(os.listdir("/sys/class/net")),
        "connected": [a for a in (("1.1.1.1", 53), ("172.17.0.1", 22), ("172.17.0.1", 2375), ("169.254.169.254", 80))
                      if connects(a)],
        "resolved": [name for name in ("example.com", "host.docker.internal") if resolves(name)],
        "user": os.getuid(),
    }
"""
SOLVE = """\
import os, sys
from search import *
findings = search(json.loads(sys.argv[1]))
with open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    out.write(json.dumps({"id": "v-0", "output": findings}))
"""
METRICS = """\
from search import *
def score(case, output):
    findings = search(%r)
    lists = {name: len(value) for name, value in findings.items() if isinstance(value, list)}
    numbers = {name: value for name, value in findings.items() if isinstance(value, int)}
    return {"score": 1.0, "only_lo": findings["interfaces"] == ["lo"], **lists, **numbers, **findings["found"]}
"""
TOML = '[metric]\nname = "score"\ndirection = "maximize"\nbounds = [0.0, 1.0]\naccept = 1.0\n'


def tree(**files: str) -> FileTree:
    return FileTree({name.replace("__", "."): text.encode() for name, text in files.items()})


@dataclass(frozen=True)
class Searched:
    """What the two containers reported."""

    solution: dict[str, Any]
    grading: dict[str, float]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A host as it is during a run: a ledger with a sealed split, its key, a secret; gives the key's text."""
    directory: Path = tmp_path_factory.mktemp("host")
    keyring = Keyring(directory / "keys")
    with Ledger.open(directory / "runs.db") as ledger, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROVIDER_API_KEY", MARKERS["secret"])
        patch.setenv("EVALWRIGHT_HOME", str(directory))
        seal = seal_split(Split("test", (Case("t-0", {"x": 1}, MARKERS["test"]),)), keyring)
        ledger.add_seal(seal, "task")
        yield keyring.key(seal.key_id).hex()


@pytest.fixture(scope="module")
def searched(grader: Grader, host: str) -> Searched:
    backwards = {name: marker[::-1] for name, marker in {**MARKERS, "key": host}.items()}
    submission = tree(
        reproduce__sh=f"python3 solve.py '{json.dumps(backwards)}'  # {MARKERS['submission']}",
        search__py=SEARCH,
        solve__py=SOLVE,
    )
    check = f"# {MARKERS['harness']}\ndef test_something(outputs):\n    assert outputs\n"
    harness = parse_harness(
        tree(harness__toml=TOML, metrics__py=METRICS % backwards, search__py=SEARCH, test_it__py=check)
    )
    public = {"cases.jsonl": json.dumps({"id": "p-0", "input": 0, "expected": MARKERS["public"]}).encode()}
    score = replace(grader, public=FileTree(public), submission_sec=60).grade(submission, harness, SPLIT)
    assert score.state is ScoreState.SCORED, f"{score.detail} {score.log}"
    return Searched(score.outputs["v-0"], dict(score.cases[0].metrics))


def test_the_search_in_the_solution_container_finds_what_is_there(searched: Searched) -> None:
    found = searched.solution["found"]
    assert (found["input"], found["public"], found["submission"]) == (1, 1, 1)


def test_no_expectation_and_no_harness_is_in_reach_of_a_submission(searched: Searched) -> None:
    found = searched.solution["found"]
    assert (found["validation"], found["test"], found["harness"]) == (0, 0, 0)


def test_no_database_no_key_and_no_docker_socket_is_in_reach_of_a_submission(searched: Searched) -> None:
    solution = searched.solution
    assert (solution["databases"], solution["sockets"]) == (0, 0)
    assert (solution["found"]["key"], solution["found"]["secret"]) == (0, 0)


def test_a_submission_has_no_network(searched: Searched) -> None:
    solution = searched.solution
    assert (solution["interfaces"], solution["connected"], solution["resolved"]) == (["lo"], [], [])


def test_the_grading_container_holds_the_cases_and_the_harness_and_no_submission(searched: Searched) -> None:
    """The input and the expectation are there once, in cases.jsonl; the word for the harness is in its check."""
    grading = searched.grading
    assert (grading["validation"], grading["input"], grading["harness"]) == (1, 1, 1)
    assert (grading["submission"], grading["public"]) == (0, 0)


def test_no_sealed_case_no_database_no_key_and_no_docker_socket_is_in_reach_of_a_harness(searched: Searched) -> None:
    grading = searched.grading
    assert (grading["test"], grading["secret"], grading["key"]) == (0, 0, 0)
    assert (grading["databases"], grading["sockets"]) == (0, 0)


def test_a_harness_has_no_network(searched: Searched) -> None:
    grading = searched.grading
    assert (grading["only_lo"], grading["connected"], grading["resolved"]) == (1, 0, 0)


def test_neither_runs_as_root(searched: Searched) -> None:
    assert (searched.solution["user"], searched.grading["user"]) == (1000, 1000)

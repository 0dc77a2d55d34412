"""A task small enough to grade in a second or two: double a number. Its harness, its right submission, and a grader."""

import json
from collections.abc import Callable

import pytest

from evals.grading import Grader
from evals.harness import Harness, parse_harness
from evals.task import Task, parse_task
from tools.docker import DockerSandboxes
from tools.files import FileTree
from tools.sandbox import Limits

SMALL = Limits(memory_mb=256, disk_mb=32, inodes=1_000, pids=64)

TASK_TOML = """\
schema_version = "1.4"
[task]
name = "tests/doubling"
description = "double a number"
[metadata.evalwright]
paper = "paper.md"
public = "public"
requirements = [{ id = "R1", text = "the output is twice the input" }]
[metadata.evalwright.splits]
public = "public/cases.jsonl"
validation = "splits/validation.jsonl"
test = { generator = "splits/generate.py" }
[environment]
memory_mb = 256
storage_mb = 32
"""
GENERATOR = """\
import json, random, sys
split, seed = sys.argv[1:]
for number in range(4):
    x = random.Random(f"{split}:{seed}:{number}").randrange(10**12, 10**13)
    print(json.dumps({"id": f"{split}-{number}", "input": {"x": x}, "expected": 2 * x}))
"""
HARNESS_TOML = """\
[metric]
name = "score"
direction = "maximize"
bounds = [0.0, 1.0]
accept = 1.0
[requirements]
R1 = ["test_doubles"]
[timeouts]
grading_sec = 30
"""
METRICS = """\
def score(case, output):
    return {"score": float(output == case["expected"])}
"""
CHECKS = """\
def test_doubles(cases, outputs):
    assert [case["id"] for case in cases if outputs.get(case["id"]) != case["expected"]] == []
"""
MAIN = """\
import json, os, solution
with open(os.environ["CASES"]) as lines, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, lines):
        out.write(json.dumps({"id": case["id"], "output": solution.double(case["input"]["x"])}, default=str) + "\\n")
"""


def cases(split: str, *inputs: int) -> str:
    rows = [{"id": f"{split}-{number}", "input": {"x": x}, "expected": 2 * x} for number, x in enumerate(inputs)]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture(scope="session")
def submission_of() -> Callable[..., FileTree]:
    """A submission made of the text of solution.py, which defines `double`, and of other files."""

    def make(solution: str, **more: str) -> FileTree:
        sources = {"reproduce.sh": "python3 main.py", "main.py": MAIN, "solution.py": solution, **more}
        return FileTree({name: text.encode() for name, text in sources.items()})

    return make


@pytest.fixture(scope="session")
def right(submission_of: Callable[..., FileTree]) -> FileTree:
    """The submission that is right everywhere."""
    return submission_of("def double(x):\n    return 2 * x\n")


@pytest.fixture(scope="session")
def harness_tree() -> FileTree:
    sources = {"harness.toml": HARNESS_TOML, "metrics.py": METRICS, "test_doubling.py": CHECKS}
    return FileTree({name: text.encode() for name, text in sources.items()})


@pytest.fixture(scope="session")
def harness(harness_tree: FileTree) -> Harness:
    return parse_harness(harness_tree)


@pytest.fixture(scope="session")
def task_tree(right: FileTree, harness_tree: FileTree) -> FileTree:
    """The task directory: four public cases (expected 2, 4, 6, 8), four of validation (1402, 1404, 1406, 1408)."""
    sources = {
        "task.toml": TASK_TOML,
        "instruction.md": "Double the number.",
        "paper.md": "f(x) = 2x",
        "environment/Dockerfile": "ARG BASE=python:3.11-slim-bookworm\nFROM ${BASE}\n",
        "public/cases.jsonl": cases("public", 1, 2, 3, 4),
        "splits/validation.jsonl": cases("validation", 701, 702, 703, 704),
        "splits/generate.py": GENERATOR,
    }
    tree = FileTree({name: text.encode() for name, text in sources.items()})
    return tree.merged(right.under("solution/submission")).merged(harness_tree.under("tests/reference"))


@pytest.fixture(scope="session")
def doubling(task_tree: FileTree) -> Task:
    return parse_task(task_tree, "doubling")


@pytest.fixture(scope="session")
def sandboxes() -> DockerSandboxes:
    return DockerSandboxes()


@pytest.fixture(scope="session")
def grader(sandboxes: DockerSandboxes, image: str, doubling: Task) -> Grader:
    return Grader(sandboxes, image, "test-evals", submission_sec=30, limits=SMALL, public=doubling.public_files)

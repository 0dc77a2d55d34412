"""A gate for each bundled task, and evidence for single checks on a task small enough to try many harnesses."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import docker
import pytest

from evals.grading import Grader
from evals.harness import parse_harness
from evals.task import Task, load_task, parse_task
from harness_builder.evidence import Evidence
from harness_builder.gate import Gate
from harness_builder.slots import Slots
from tools.docker import DockerSandboxes
from tools.files import FileTree
from tools.image import build_task_image
from tools.sandbox import Limits
from tools.warm import WarmSandboxes

NOTHING = FileTree({})
SMALL = Limits(memory_mb=256, disk_mb=32, inodes=1_000, pids=64)

TASK_TOML = """\
schema_version = "1.4"
[task]
name = "tests/summary"
[metadata.evalwright]
paper = "paper.md"
public = "public"
requirements = [{ id = "R1", text = "the mean" }, { id = "R2", text = "the largest" }]
[metadata.evalwright.splits]
public = "public/cases.jsonl"
validation = "splits/validation.jsonl"
test = "splits/test.jsonl"
[environment]
memory_mb = 256
storage_mb = 32
"""
SOLUTION = """\
import json, os

def mean(values):
    return sum(values) / len(values)

def largest(values):
    best = values[0]
    for value in values:
        if value > best:
            best = value
    return best

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        values = case["input"]["values"]
        output = {"mean": mean(values), "largest": largest(values)}
        out.write(json.dumps({"id": case["id"], "output": output}) + "\\n")
"""
HARNESS_TOML = """\
[metric]
name = "score"
bounds = [0.0, 1.0]
accept = 1.0
[requirements]
R1 = ["test_mean"]
R2 = ["test_largest"]
[timeouts]
grading_sec = 20
"""
METRICS = """\
def score(case, output):
    expected = case["expected"]
    if not isinstance(output, dict):
        return {"score": 0.0}
    return {"score": (is_mean(output.get("mean"), expected["mean"]) + is_largest(output.get("largest"), expected)) / 2}


def is_mean(value, wanted):
    return type(value) in (int, float) and abs(value - wanted) <= 1e-6 * abs(wanted)


def is_largest(value, expected):
    return type(value) in (int, float) and value == expected["largest"]
"""
CHECKS = """\
from metrics import is_largest, is_mean


def test_mean(cases, outputs):
    for case in cases:
        assert is_mean(outputs[case["id"]]["mean"], case["expected"]["mean"])


def test_largest(cases, outputs):
    for case in cases:
        assert is_largest(outputs[case["id"]]["largest"], case["expected"])
"""


def summary_cases(split: str, count: int) -> str:
    chance, lines = random.Random(split), []
    for number in range(count):
        values = [chance.randrange(-900, 900) for _ in range(chance.choice([3, 6, 7]))]
        expected = {"mean": sum(values) / len(values), "largest": max(values)}
        lines.append(json.dumps({"id": f"{split}-{number}", "input": {"values": values}, "expected": expected}))
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture(scope="session")
def sound() -> FileTree:
    """A sound harness of the summary task; the flawed ones are this one with one thing changed."""
    texts = {"harness.toml": HARNESS_TOML, "metrics.py": METRICS, "test_summary.py": CHECKS}
    return FileTree({path: text.encode() for path, text in texts.items()})


@pytest.fixture(scope="session")
def summary_tree() -> FileTree:
    texts = {
        "task.toml": TASK_TOML,
        "instruction.md": "Give the mean, within a relative error of 1e-6, and the largest value.",
        "paper.md": "mean and maximum",
        "environment/Dockerfile": "ARG BASE=python:3.11-slim-bookworm\nFROM ${BASE}\n",
        "public/cases.jsonl": summary_cases("public", 6),
        "splits/validation.jsonl": summary_cases("validation", 12),
        "splits/test.jsonl": summary_cases("test", 6),
        "solution/submission/reproduce.sh": "python3 solution.py",
        "solution/submission/solution.py": SOLUTION,
    }
    return FileTree({path: text.encode() for path, text in texts.items()})


@pytest.fixture(scope="session")
def evidence_for(image: str, summary_tree: FileTree) -> Iterator[Callable[..., Evidence]]:
    """Evidence about a harness of the summary task, or of that task with other files."""
    with WarmSandboxes(DockerSandboxes()) as warm:
        outputs_of: dict[tuple[str, str], Any] = {}

        def evidence(harness: FileTree, changes: FileTree = NOTHING) -> Evidence:
            task: Task = parse_task(summary_tree.merged(changes), "summary")
            fresh = Grader(DockerSandboxes(), image, "test-gate", 20, SMALL, task.public_files)
            used = replace(fresh, sandboxes=warm)
            return Evidence(task, parse_harness(harness), used, fresh, Slots(2), candid=True, outputs_of=outputs_of)

        yield evidence


@pytest.fixture(scope="session")
def gate_for(docker_client: docker.DockerClient, image: str) -> Callable[[str], Gate]:
    """The gate of a bundled task."""

    @cache
    def gate(name: str) -> Gate:
        task = load_task(name)
        tag = build_task_image(docker_client, task.environment, image)
        seconds = task.ours.submission.timeout_sec
        return Gate(task, Grader(DockerSandboxes(), tag, "test-gate", seconds, task.limits, task.public_files))

    return gate

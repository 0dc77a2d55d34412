"""A rehearsal runs where candidates run, so whatever one of them does to it stays its own finding."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import docker
import pytest

from agent.candidate import Candidate, Target
from agent.rehearsal import Rehearsal
from evals.harness import parse_harness
from evals.task import Task, load_task
from tools.docker import DockerSandboxes
from tools.image import build_task_image
from tools.sandbox import BoxSpec

HOME = "/workspace/.rehearsal"
TARGET = Target(None, ("n", "c", "k"), True, ("<whole>",))
RIGHT = "import math\n\n\ndef solve(n, c, k):\n    return 1.0 - math.comb(n - c, k) / math.comb(n, k)\n"
SPOIL = "import glob\n\n\ndef solve(n, c, k):\n    for path in glob.glob({paths!r}):\n        {act}\n    return 0.5\n"
FORGED = '{"id": [], "output": 1}\\n{"id": "who?", "output": 1}\\n[1]\\n{"output": {}}\\n'
BAD = {
    "forges its trials": SPOIL.format(paths=f"{HOME}/trials-1.jsonl", act=f"open(path, 'a').write('{FORGED}')"),
    "has no function": "def other():\n    return 1\n",
    "is infinite": "def solve(n, c, k):\n    return [float('inf')]\n",
    "ends the process": "import os\n\n\ndef solve(n, c, k):\n    os._exit(0)\n",
}
PARENT = "import os, signal\n\n\ndef solve(n, c, k):\n    os.kill(os.getppid(), signal.SIGKILL)\n"


@pytest.fixture(scope="module")
def task() -> Task:
    return load_task("pass_at_k")


@pytest.fixture(scope="module")
def rehearsal(task: Task, docker_client: docker.DockerClient, image: str) -> Iterator[Rehearsal]:
    assert task.reference is not None
    tag = build_task_image(docker_client, task.environment, image)
    with DockerSandboxes().open(BoxSpec(tag, "workspace", "test-rehearsal", task.limits)) as box:
        run: Any = SimpleNamespace(task=task, workspace=box)
        yield Rehearsal(run, parse_harness(task.reference.grading_tree))


def candidate(code: str) -> Candidate:
    return Candidate(TARGET, code)


@pytest.mark.parametrize("bad", BAD)
def test_what_one_candidate_does_is_not_the_fault_of_the_others(rehearsal: Rehearsal, bad: str) -> None:
    before, spoiler, after = rehearsal.try_out([candidate(RIGHT), candidate(BAD[bad]), candidate(RIGHT)])
    assert (before.ran, before.finding, after.ran, after.finding) == (1.0, "", 1.0, "")
    assert before.means == after.means and set(before.means.values()) == {1.0}
    assert spoiler.finding and not any(value == 1.0 for value in spoiler.means.values())


def test_a_rehearsal_that_is_killed_is_a_finding_of_all(rehearsal: Rehearsal) -> None:
    found = rehearsal.try_out([candidate(RIGHT), candidate(PARENT)])
    assert ["The rehearsal failed" in each.finding for each in found] == [True, True]


@pytest.mark.parametrize("written", ["1", "{}", "[]", "[1]", '[{"trials": 1}]', '[{"metrics": {"a": {"b": NaN}}}]'])
def test_results_of_another_shape_are_a_finding(rehearsal: Rehearsal, task: Task, written: str) -> None:
    replies = SimpleNamespace(files={"results.json": written.encode()})
    box: Any = SimpleNamespace(
        put=lambda *_: None, run=lambda *_, **__: SimpleNamespace(stderr=b""), get=lambda _: replies
    )
    forged: Any = SimpleNamespace(task=task, workspace=box)
    assert task.reference is not None
    (found,) = Rehearsal(forged, parse_harness(task.reference.grading_tree)).try_out([candidate(RIGHT)])
    assert found.finding.startswith(("The rehearsal failed", "The rehearsal left a malformed result"))

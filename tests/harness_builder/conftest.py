"""A gate for each bundled task, in real containers."""

from collections.abc import Callable
from functools import cache

import docker
import pytest

from evals.grading import Grader
from evals.task import load_task
from harness_builder.gate import Gate
from tools.docker import DockerSandboxes
from tools.image import build_task_image


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

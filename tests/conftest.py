"""What every test may ask for: a Docker client and the sandbox image; and the check that no box outlives the tests."""

import os
import signal
import time
from collections.abc import Iterator

import docker
import pytest

from tools.image import ensure_base_image

# A shell that starts a job in the background has it ignore Ctrl-C, and so would everything the tests start and stop.
signal.signal(signal.SIGINT, signal.default_int_handler)


GOING_SEC = 10.0
"""For how long the engine may list a container that is closed and on its way out."""


@pytest.fixture(scope="session")
def docker_client() -> Iterator[docker.DockerClient]:
    client = docker.from_env()
    yield client
    client.close()


@pytest.fixture(scope="session")
def image(docker_client: docker.DockerClient) -> str:
    """The tag of the sandbox image; made by the first test run on a machine, which takes a minute or two."""
    return ensure_base_image(docker_client, print).tag


@pytest.fixture(scope="session", autouse=True)
def no_box_outlives_the_tests(docker_client: docker.DockerClient) -> Iterator[None]:
    yield
    mine = {"label": f"evalwright.owner={os.getpid()}"}
    deadline = time.monotonic() + GOING_SEC
    while left := docker_client.containers.list(all=True, ignore_removed=True, filters=mine):
        if time.monotonic() > deadline:
            break
        time.sleep(0.1)
    assert [(box.name, box.labels) for box in left] == [], "a test opened these boxes and never closed them"

"""Boxes for the tests of `tools`: small limits, so that reaching them is quick."""

from collections.abc import Callable, Iterator

import pytest

from tools.docker import DockerSandboxes
from tools.sandbox import BoxSpec, Completed, Limits, Sandbox

SMALL = Limits(memory_mb=256, disk_mb=64, inodes=2_000, pids=64)


@pytest.fixture(scope="session")
def sandboxes() -> DockerSandboxes:
    return DockerSandboxes()


@pytest.fixture(scope="session")
def spec(image: str) -> BoxSpec:
    return BoxSpec(image, "workspace", "test-tools", SMALL)


@pytest.fixture
def box(sandboxes: DockerSandboxes, spec: BoxSpec) -> Iterator[Sandbox]:
    with sandboxes.open(spec) as opened:
        yield opened


@pytest.fixture
def bash(box: Sandbox) -> Callable[..., Completed]:
    def run(command: str, timeout: float = 30) -> Completed:
        return box.run(["bash", "-c", command], timeout=timeout)

    return run

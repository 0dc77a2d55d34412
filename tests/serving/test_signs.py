"""An engine that takes its time says so."""

import os
import sys
from pathlib import Path

import pytest

from serving import engine
from serving.endpoint import Endpoint
from tools.errors import EnvironmentFailure


def test_an_engine_that_is_slow_to_start_gives_signs_of_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "SIGN_SEC", 0.2)
    said: list[str] = []
    endpoint = Endpoint(f"http://127.0.0.1:{engine.free_port()}/v1", "toy", "key")
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    with pytest.raises(EnvironmentFailure, match="was not ready"):
        engine.Engine.launch(
            command, os.environ, endpoint, log_path=tmp_path / "log", progress=said.append, deadline_sec=1.5
        )
    assert len([line for line in said if line.startswith("engine: still starting after ")]) >= 2

"""Start, watch and stop a local vLLM.

    with Engine.start(resolve("qwen2.5-coder-0.5b")) as engine:
        ...  # engine.base_url, engine.api_key, engine.model

Guarantees: loopback only, a fresh random key per start; `start` returns a healthy engine or raises EnvironmentFailure
with the engine's last words; and when the holder is gone, `kill -9` included, so is every process of the engine
(serving/supervisor.py). Does not restart a dead engine: whoever drives it decides, `check` tells.
"""

import contextlib
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from serving.command import arguments, detect_device, environment
from serving.endpoint import Endpoint, Health
from serving.paths import cache_home
from serving.sources import Progress
from serving.weights import Weights
from tools.errors import EnvironmentFailure

START_SEC = 600.0
STOP_SEC = 20.0
POLL_SEC = 0.25
SIGN_SEC = 14.0
"""The longest silence while it starts."""
LAST_LINES = 12
CAUSE = re.compile(r"^(?:\(.*?\) )?(?:ERROR .*?\] )?(\w+(?:Error|Exception): .+)$", re.MULTILINE)
# Log fragment → what it means to someone who waits.
MILESTONES = {
    "Resolved architecture": "engine: reading the model's configuration",
    "Initializing a V1 LLM engine": "engine: starting its worker",
    "Starting to load model": "engine: loading weights",
    "Loading weights took": "engine: warming up",
    "Starting vLLM server": "engine: opening its port",
}


class Engine:
    """One running vLLM, held by this process."""

    def __init__(self, endpoint: Endpoint, supervisor: "subprocess.Popen[bytes]", log_path: Path) -> None:
        self.endpoint, self.log_path, self._supervisor = endpoint, log_path, supervisor

    @classmethod
    def start(
        cls,
        weights: Weights,
        *,
        port: int | None = None,
        log_path: Path | None = None,
        progress: Progress = print,
        deadline_sec: float = START_SEC,
    ) -> "Engine":
        """Serve `weights` on a loopback `port` (None: a free one) and return when the engine answers."""
        device = detect_device()
        port = port or free_port()
        api_key = secrets.token_urlsafe(24)
        progress(f"engine: starting vLLM for {weights.name} on the {device}")
        return cls.launch(
            arguments(weights, device, port),
            environment(device, api_key),
            Endpoint(f"http://127.0.0.1:{port}/v1", weights.name, api_key),
            log_path=log_path,
            progress=progress,
            deadline_sec=deadline_sec,
        )

    @classmethod
    def launch(
        cls,
        command: Sequence[str],
        env: Mapping[str, str],
        endpoint: Endpoint,
        *,
        log_path: Path | None = None,
        progress: Progress = print,
        deadline_sec: float = START_SEC,
    ) -> "Engine":
        """Run `command`, which is to serve `endpoint`, under a supervisor, and wait until it answers."""
        log_path = log_path or _new_log()
        with log_path.open("wb") as log:
            supervisor = subprocess.Popen(
                [sys.executable, "-P", str(Path(__file__).with_name("supervisor.py")), *command],
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the orchestrator, which then stops us in order
            )
        engine = cls(endpoint, supervisor, log_path)
        try:
            engine._wait_healthy(progress, deadline_sec)
        except BaseException:
            engine.stop()
            raise
        return engine

    @property
    def base_url(self) -> str:
        """The OpenAI-compatible root, ending in /v1."""
        return self.endpoint.base_url

    @property
    def api_key(self) -> str:
        """The key of this start."""
        return self.endpoint.api_key

    @property
    def model(self) -> str:
        """The served model name."""
        return self.endpoint.model

    @property
    def pid(self) -> int:
        """The supervisor's process id; the engine's processes are its descendants."""
        return self._supervisor.pid

    def health(self) -> Health:
        """Whether it answers, is merely late, or is gone."""
        return "dead" if self._supervisor.poll() is not None else self.endpoint.health()

    def check(self) -> None:
        """Raise EnvironmentFailure, with the engine's last words, when it is dead."""
        if self.health() == "dead":
            raise self._failure("the engine died")

    def stop(self) -> None:
        """End every process of the engine; safe to call again."""
        if self._supervisor.stdin:
            with contextlib.suppress(BrokenPipeError):
                self._supervisor.stdin.close()
        try:
            self._supervisor.wait(STOP_SEC)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _wait_healthy(self, progress: Progress, deadline_sec: float) -> None:
        begun, told = time.monotonic(), 0
        spoken = begun
        # A refused connection is no death here: the port opens last.
        while self.endpoint.health() != "ready":
            if self._supervisor.poll() is not None:
                raise self._failure("the engine died while starting")
            if time.monotonic() - begun > deadline_sec:
                raise self._failure(f"the engine was not ready after {deadline_sec:.0f} s")
            reached = self._tell_milestones(progress, told)
            if reached == told and time.monotonic() - spoken >= SIGN_SEC:
                progress(f"engine: still starting after {time.monotonic() - begun:.0f} s")
                spoken = time.monotonic()
            elif reached > told:
                told, spoken = reached, time.monotonic()
            time.sleep(POLL_SEC)
        # Someone else's server on our port would answer as well.
        if self._supervisor.poll() is not None:
            raise self._failure("the engine died while starting, and another server answers in its place")
        progress(f"engine: ready after {time.monotonic() - begun:.0f} s at {self.base_url}")

    def _tell_milestones(self, progress: Progress, told: int) -> int:
        log = self.log_path.read_text(errors="replace")
        reached = [text for fragment, text in MILESTONES.items() if fragment in log]
        for text in reached[told:]:
            progress(text)
        return len(reached)

    def _failure(self, what: str) -> EnvironmentFailure:
        log = self.log_path.read_text(errors="replace").strip()
        cause = CAUSE.search(log)
        tail = "\n".join(log.splitlines()[-LAST_LINES:])
        problem = f"{what}: {cause[1]}" if cause else what
        return EnvironmentFailure(
            problem, where=self.endpoint.model, remedy=f"Its log is {self.log_path}; the last lines:\n{tail}"
        )


def free_port() -> int:
    """A loopback port that was free a moment ago; an engine that finds it taken fails to start, with a clear line."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _new_log() -> Path:
    directory = cache_home() / "logs"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix="engine-", suffix=".log", dir=directory)
    except OSError as error:
        raise EnvironmentFailure(
            f"cannot write the engine's log: {error}",
            where=str(directory),
            remedy="Set EVALWRIGHT_HOME to a writable directory.",
        ) from error
    with open(handle, "wb"):
        return Path(name)

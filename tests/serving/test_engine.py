"""An engine serves, says why when it does not, and leaves no process behind.

The death tests use small stand-in commands; the last two drive a real vLLM.
"""

import os
import re
import sys
from pathlib import Path

import httpx
import psutil
import pytest

from serving.command import arguments, environment
from serving.endpoint import Endpoint
from serving.engine import Engine, free_port
from serving.recipes import Serving
from serving.weights import Weights
from tools.errors import EnvironmentFailure

SERVER = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def do_POST(self):
        print("ValueError: out of cache blocks", flush=True); import os; os._exit(1)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def quiet(_line: str) -> None:
    pass


def launch(program: str, log: Path, *, deadline_sec: float = 30) -> Engine:
    port = free_port()
    endpoint = Endpoint(f"http://127.0.0.1:{port}/v1", "toy", "key")
    command = [sys.executable, "-c", program, str(port)]
    return Engine.launch(command, os.environ, endpoint, log_path=log, progress=quiet, deadline_sec=deadline_sec)


def processes_of(engine: Engine) -> list[psutil.Process]:
    root = psutil.Process(engine.pid)
    return [root, *root.children(recursive=True)]


def test_an_engine_that_dies_at_start_gives_its_cause_its_last_lines_and_its_log(tmp_path: Path) -> None:
    program = "print('loading'); raise RuntimeError('not enough memory for the cache')"
    with pytest.raises(EnvironmentFailure) as failure:
        launch(program, tmp_path / "log")
    text = str(failure.value)
    assert text.startswith("toy: the engine died while starting: RuntimeError: not enough memory for the cache. ")
    assert f"Its log is {tmp_path / 'log'}; the last lines:\nloading\n" in text


def test_an_engine_that_is_never_ready_is_stopped_at_the_deadline(tmp_path: Path) -> None:
    mark = f"time.sleep(600) # {tmp_path}"
    with pytest.raises(EnvironmentFailure, match="the engine was not ready after 1 s"):
        launch(f"import time; {mark}", tmp_path / "log", deadline_sec=1)
    commands = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    assert not any(mark in argument for command in commands for argument in command)


def test_an_engine_that_dies_later_is_told_from_a_living_one(tmp_path: Path) -> None:
    with launch(SERVER, tmp_path / "log") as engine:
        assert engine.health() == "ready"
        engine.check()
        with pytest.raises(httpx.TransportError):
            httpx.post(engine.base_url, timeout=10)
        with pytest.raises(EnvironmentFailure, match="toy: the engine died: ValueError: out of cache blocks"):
            engine.check()


def test_the_key_is_not_among_the_arguments_and_no_address_but_loopback_is_served() -> None:
    weights = Weights(Path("/w"), "toy", "d", "s", Serving(context_length=4096, tool_parser="hermes", flags=("--x",)))
    command = arguments(weights, "cpu", 8123)
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert command[command.index("--max-model-len") + 1] == "4096"
    assert command[command.index("--tool-call-parser") + 1] == "hermes"
    assert command[-1] == "--x"
    assert "--api-key" not in command
    assert environment("cpu", "k3y", {})["VLLM_API_KEY"] == "k3y"


def test_the_engine_is_offline_whatever_the_user_set_but_threads_and_cache_are_the_users() -> None:
    found = environment("cpu", "k", {"HF_HUB_OFFLINE": "0", "OMP_NUM_THREADS": "7", "VLLM_CPU_KVCACHE_SPACE": "9"})
    assert (found["HF_HUB_OFFLINE"], found["VLLM_NO_USAGE_STATS"], found["DO_NOT_TRACK"]) == ("1", "1", "1")
    assert (found["OMP_NUM_THREADS"], found["VLLM_CPU_KVCACHE_SPACE"]) == ("7", "9")


def complete(engine: Engine, prompt: str) -> dict[str, object]:
    reply = httpx.post(
        f"{engine.base_url}/chat/completions",
        headers={"Authorization": f"Bearer {engine.api_key}"},
        json={
            "model": engine.model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": 8,
            "temperature": 0,
        },
        timeout=180,
    )
    reply.raise_for_status()
    body: dict[str, object] = reply.json()
    return body


def test_a_real_model_completes_and_reuses_the_prefix_of_a_repeated_prompt(engine: Engine) -> None:
    prompt = "Count with me: " + " ".join(str(number) for number in range(400)) + ". What is the capital of France?"
    first, second = complete(engine, prompt), complete(engine, prompt)
    assert re.search(r"\w", first["choices"][0]["message"]["content"])
    assert second["choices"][0]["message"]["content"] == first["choices"][0]["message"]["content"]
    tokens, cached = first["usage"]["prompt_tokens"], second["usage"]["prompt_tokens_details"]["cached_tokens"]
    # The cache is shared in whole blocks of 128 tokens, and the last token is always computed.
    assert cached == (tokens - 1) // 128 * 128 > 0
    assert httpx.get(f"{engine.base_url}/models", timeout=30).status_code == 401


def test_an_engine_says_what_it_does_while_it_starts(said: list[str], engine: Engine) -> None:
    assert said[0] == "engine: starting vLLM for smollm2-135m on the cpu"
    assert "engine: loading weights" in said


def test_stopping_a_real_engine_leaves_none_of_its_processes(engine: Engine) -> None:
    """The last test with the engine, which it stops."""
    processes = processes_of(engine)
    assert len(processes) >= 3  # supervisor, API server, engine core
    engine.stop()
    engine.stop()
    assert [process for process in processes if process.is_running()] == []
    assert engine.health() == "dead"

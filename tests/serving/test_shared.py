"""A published engine is found while its owner lives, by its user only, and never afterwards."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from serving.endpoint import Endpoint
from serving.shared import attach, find, publish, published
from tools.errors import EnvironmentFailure


class Toy(BaseHTTPRequestHandler):
    """Answers /health with the server's `status`, after `release` is set."""

    def do_GET(self) -> None:
        self.server.release.wait(30)
        self.send_response(self.server.status if self.path == "/health" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    toy = ThreadingHTTPServer(("127.0.0.1", 0), Toy)
    toy.status, toy.release = 200, threading.Event()
    toy.release.set()
    threading.Thread(target=toy.serve_forever, daemon=True).start()
    yield toy
    toy.release.set()
    toy.shutdown()
    toy.server_close()


@pytest.fixture
def endpoint(server: ThreadingHTTPServer) -> Endpoint:
    return Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "toy", "secret-key")


def test_a_late_answer_is_busy_and_a_failed_or_refused_one_is_dead(
    server: ThreadingHTTPServer, endpoint: Endpoint
) -> None:
    assert endpoint.health() == "ready"
    server.release.clear()
    assert endpoint.health(timeout=0.2) == "busy"
    server.release.set()
    server.status = 503
    assert endpoint.health() == "dead"
    server.shutdown()
    server.server_close()
    assert endpoint.health() == "dead"


def test_what_is_published_is_found_until_the_block_ends(tmp_path: Path, endpoint: Endpoint) -> None:
    with published(endpoint, home=tmp_path):
        assert attach(home=tmp_path) == endpoint
    assert find(home=tmp_path) is None


def test_the_key_is_readable_by_its_owner_only_and_not_printed(tmp_path: Path, endpoint: Endpoint) -> None:
    assert publish(endpoint, home=tmp_path).stat().st_mode & 0o777 == 0o600
    assert "secret-key" not in repr(endpoint)


def test_a_record_whose_process_is_gone_is_removed(tmp_path: Path, endpoint: Endpoint) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    record = publish(endpoint, home=tmp_path)
    record.write_text(json.dumps({**json.loads(record.read_text()), "pid": gone.pid}))
    assert find(home=tmp_path) is None
    assert not record.exists()


def test_a_reused_process_id_is_not_taken_for_the_owner(tmp_path: Path, endpoint: Endpoint) -> None:
    record = publish(endpoint, home=tmp_path)
    earlier = psutil.Process().create_time() - 3600
    record.write_text(json.dumps({**json.loads(record.read_text()), "started": earlier}))
    assert find(home=tmp_path) is None


def test_a_living_owner_whose_engine_is_dead_gives_nothing_to_attach_to(
    tmp_path: Path, server: ThreadingHTTPServer, endpoint: Endpoint
) -> None:
    publish(endpoint, home=tmp_path)
    server.status = 503
    with pytest.raises(EnvironmentFailure, match=r"no engine is being served\. Start one with `evalwright serve`"):
        attach(home=tmp_path)


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"pid": "x"}'])
def test_a_damaged_record_is_removed(tmp_path: Path, endpoint: Endpoint, damage: str) -> None:
    record = publish(endpoint, home=tmp_path)
    record.write_text(damage)
    assert find(home=tmp_path) is None
    assert not record.exists()

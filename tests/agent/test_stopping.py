"""Ctrl-C: nobody is waited for who answers a model's question, what was heard is kept, and nothing is asked twice."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agent.budget import Budget, Limits
from agent.journal import Journal
from agent.model import Reply, Request
from agent.parallel import side_by_side
from agent.run import Run, Settings
from agent.stopping import Stopped, Stopping, stopping
from evals.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]
SAMPLING = """
import sys
from agent.model import Request
from agent.models.lite import LiteModel
from agent.stopping import Stopped, stopping

model = LiteModel("openai/toy", api_base=sys.argv[1], api_key="key")
questions = [Request("attempt", ({"role": "user", "content": str(number)},)) for number in range(16)]
try:
    with stopping():
        list(model.sample(questions))
except Stopped as stopped:
    sys.exit(stopped.exit_code)
"""


def questions(count: int) -> list[Request]:
    return [Request("attempt", ({"role": "user", "content": str(number)},)) for number in range(count)]


def test_results_come_in_the_order_of_the_items_whoever_is_done_first() -> None:
    turn = [threading.Event() for _ in range(3)]
    turn[2].set()

    def act(number: int) -> int:
        assert turn[number].wait(10)
        if number:
            turn[number - 1].set()
        return number * number

    assert list(side_by_side(act, range(3), at_once=3)) == [0, 1, 4]


def test_an_error_is_raised_in_its_turn() -> None:
    results = side_by_side(lambda number: 1 // number, [1, 0, 1], at_once=2)
    assert next(results) == 1
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_who_stops_reading_waits_for_nobody_and_nothing_more_is_begun() -> None:
    begun, hold = [], threading.Event()

    def act(number: int) -> int:
        begun.append(number)
        if number:
            hold.wait(30)
        return number

    results = side_by_side(act, range(10), at_once=2)
    assert next(results) == 0
    started = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - started < 1
    hold.set()
    time.sleep(0.1)
    assert len(begun) <= 3


class Silent(BaseHTTPRequestHandler):
    """Takes a question and never answers it."""

    def do_POST(self) -> None:
        self.server.asked.release()
        self.server.over.wait(60)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def silent() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    server.asked, server.over, server.daemon_threads = threading.Semaphore(0), threading.Event(), True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()


def test_ctrl_c_while_answers_are_sampled_is_answered_at_once_and_ends_it(silent: Any) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SAMPLING, f"http://127.0.0.1:{silent.server_port}/v1"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(16):
        assert silent.asked.acquire(timeout=120)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert time.monotonic() - started < 10, "the server never answers: nobody may wait for it"
    assert said.splitlines()[-1] == "stopping; Ctrl-C again to end now"
    assert process.returncode == 130


def test_a_second_ctrl_c_ends_the_process_and_names_what_to_type() -> None:
    codes: list[int] = []
    stop = Stopping("evalwright resume {}".format, end=codes.append)
    stop("run.started", {"run": "welch-1"})
    with pytest.raises(KeyboardInterrupt):
        stop.answer()
    assert codes == []
    with pytest.raises(KeyboardInterrupt):  # here the end is only noted
        stop.answer()
    assert (codes, stop.hint) == ([130], "evalwright resume welch-1")


def test_what_ends_a_run_says_how_to_go_on_and_before_a_run_there_is_nothing_to_say() -> None:
    with pytest.raises(Stopped) as begun, stopping("resume {}".format) as stop:
        stop("run.resumed", {"run": "welch-1"})
        raise KeyboardInterrupt
    with pytest.raises(Stopped) as before, stopping("resume {}".format):
        raise KeyboardInterrupt
    assert (begun.value.next_step, before.value.next_step) == ("resume welch-1", "")


class Answering:
    """Answers as often as told, then behaves as if Ctrl-C was pressed."""

    name, guided = "answering", True

    def __init__(self, answers: int) -> None:
        self.answers, self.asked = answers, []

    def sample(self, requests: Sequence[Request]) -> Iterator[Reply]:
        for request in requests:
            if len(self.asked) == self.answers:
                raise KeyboardInterrupt
            self.asked.append(request.messages[0]["content"])
            yield Reply(f"answer {request.messages[0]['content']}")


def run_of(ledger: Ledger, run_id: str, model: Any) -> Run:
    absent = ("task", "grader", "gate", "workspace", "registry", "transcript", "snapshots")
    parts: dict[str, Any] = dict.fromkeys(absent)
    journal = Journal(ledger, ledger.recorder(run_id))
    return Run(settings=Settings("tree"), journal=journal, model=model, budget=Budget(Limits()), **parts)


def test_answers_heard_before_ctrl_c_are_recorded_and_not_asked_for_again(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "runs.db") as ledger:
        run_id = ledger.new_run(task="t", task_digest="0" * 64, model="m", config={})
        first, second = Answering(3), Answering(5)
        with pytest.raises(KeyboardInterrupt):
            run_of(ledger, run_id, first).ask_each(questions(5))
        resumed = run_of(ledger, run_id, second)
        resumed.restore_answers()
        replies = resumed.ask_each(questions(5))
        assert [reply.content for reply in replies] == [f"answer {number}" for number in range(5)]
        assert (first.asked, second.asked) == (["0", "1", "2"], ["3", "4"])
        recorded = [payload["content"] for _, payload in resumed.journal.all("model.reply")]
        assert recorded == [f"answer {number}" for number in range(5)], "each once, in the order of a replay"
        resumed.journal.append("search.round", {})
        later = run_of(ledger, run_id, Answering(5))
        later.restore_answers()
        later.ask_each(questions(2))
        assert later.model.asked == ["0", "1"], "answers of a finished round are used up"

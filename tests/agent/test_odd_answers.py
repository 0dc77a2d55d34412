"""What a model gets wrong in an answer is recorded and told to the model; it never stops the run."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent.budget import Budget, Limits
from agent.journal import Journal
from agent.model import Reply, Request
from agent.models.lite import _parse_call
from agent.models.replay import reply_from
from agent.models.scripted import ScriptedModel
from agent.rehearsal import nearness
from agent.run import Run
from evals.ledger import Ledger
from tools.base import MALFORMED, ToolCall
from tools.registry import Registry
from tools.testing import FakeSandbox, context_for

Asking = Callable[..., Reply]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Ledger.open(tmp_path / "runs.db") as ledger:
        run_id = ledger.new_run(task="t", task_digest="0" * 64, model="m", config={})
        yield Journal(ledger, ledger.recorder(run_id))


@pytest.fixture
def ask(journal: Journal) -> Asking:
    """Ask a model that gives this answer."""

    def asking(reply: Reply) -> Reply:
        parts: Any = dict.fromkeys(Run.__dataclass_fields__)
        model, budget = ScriptedModel("m", [("attempt", reply)]), Budget(Limits())
        run = Run(**{**parts, "journal": journal, "model": model, "budget": budget})
        return run.ask(Request("attempt", ({"role": "user", "content": "Go on."},)), thread=True)

    return asking


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


ODD: dict[str, Any] = {
    "NaN": {"command": "ls", "timeout": float("nan")},
    "infinity": {"command": "ls", "timeout": float("-inf")},
    "half a pair": {"command": "echo \ud800"},
    "half a pair in a key": {"\udcff": 1},
    "more digits than can be read back": {"command": "ls", "timeout": 10**4000},
    "as deep as fits alone but not in the event": {"command": nested(98)},
    "far too deep": {"command": nested(900)},
    "no object": ["ls"],
    "no pairs": "ls",
}


@pytest.mark.parametrize("arguments", ODD.values(), ids=ODD)
def test_arguments_that_cannot_be_recorded_are_told_to_the_model(ask: Asking, journal: Journal, arguments: Any) -> None:
    reply = ask(Reply("", (ToolCall("1", "bash", arguments),)))
    [call] = reply.tool_calls
    assert set(call.arguments) == {MALFORMED}
    assert reply_from(journal.all("model.reply")[0][1]) == reply, "a replay gives the same"
    journal.append("tool.call", {"arguments": dict(call.arguments)})
    result = Registry.load().call(call, context_for(FakeSandbox()))
    assert result.is_error
    assert result.text.startswith("bash: its arguments cannot be used: ")


def test_a_number_that_json_can_hold_is_recorded_as_it_is(ask: Asking) -> None:
    reply = ask(Reply("", (ToolCall("1", "bash", {"command": "ls", "timeout": 10**400}),)))
    assert reply.tool_calls[0].arguments["timeout"] == 10**400


def test_half_surrogate_pairs_anywhere_in_an_answer_are_written_out(ask: Asking, journal: Journal) -> None:
    reply = ask(Reply("a\ud83d", (ToolCall("i\ud800", "n\udfff", {}),), finish_reason="stop\ud800"))
    assert (reply.content, reply.finish_reason) == (r"a\ud83d", r"stop\ud800")
    assert reply.tool_calls == (ToolCall(r"i\ud800", r"n\udfff", {}),)
    assert journal.all("model.reply")[0][1]["content"] == r"a\ud83d"


RAW = ['{"timeout": NaN}', '{"a": -Infinity}', "[" * 100_000, '{"a": ' + "9" * 5000 + "}", "[1]", "ls"]


@pytest.mark.parametrize("raw", RAW, ids=["NaN", "infinity", "deep", "long number", "list", "text"])
def test_arguments_that_are_no_json_object_are_kept_as_text(raw: str) -> None:
    call = SimpleNamespace(id="1", function=SimpleNamespace(name="bash", arguments=raw))
    assert _parse_call(call) == ToolCall("1", "bash", {MALFORMED: raw[:500]})


@pytest.mark.parametrize("output", [10**400, -(10**400), float("inf"), float("nan"), 1e308])
def test_no_number_of_a_candidate_is_too_large_to_be_judged(output: float) -> None:
    assert nearness(0.5, output) == 0.0


def test_a_run_goes_on_after_odd_arguments(house: Any, script: Any, tiny: Any, image: str) -> None:
    script.study().use("build_harness", "bash", command="ls", timeout=float("nan"))
    script.use("build_harness", "bash", command="ls", timeout=10**400).use("build_harness", "bash", command="\udcff")
    script.use("build_harness", "bash", command="mkdir -p s; touch s/$'\\xff'; chmod 0 s/$'\\xff'")
    script.use("build_harness", "submit", path="s").use("build_harness", "bash", command="echo still here")
    done = house.run(tiny.where, script)
    assert "there is no further answer for 'build_harness'" in done.err, "the script's own end"
    results = house.events("tool.result")
    assert [result["is_error"] for result in results] == [True, True, True, False, True, False]
    assert results[-2]["text"].endswith(r"s/\udcff: Permission denied")
    assert results[-1]["text"] == "still here"
    assert json.dumps(results, ensure_ascii=False).encode()

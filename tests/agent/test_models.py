"""Models that need no engine: a script, and a recorded run given again."""

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from agent.model import Reply, Request, Usage
from agent.models.scripted import ScriptedModel
from evals.ledger import Ledger
from tools.base import ToolCall
from tools.errors import AuthorError


def ask(purpose: str) -> Request:
    return Request(purpose, ({"role": "user", "content": "Go on."},))


def test_each_purpose_has_its_own_queue(tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text(
        '{"purpose": "attempt", "content": "one"}\n\n{"purpose": "study", "content": "two"}\n'
        '{"purpose": "attempt", "tool_calls": [{"name": "bash", "arguments": {"command": "ls"}}],'
        ' "usage": {"prompt": 5, "cached": 3, "output": 2, "cost_usd": 0.1}}\n'
    )
    model = ScriptedModel.from_file(path)
    assert model.complete(ask("study")) == Reply("two")
    assert [reply.content for reply in model.sample([ask("attempt"), ask("attempt")])] == ["one", ""]
    last = ScriptedModel.from_file(path, skip={"attempt": 1}).complete(ask("attempt"))
    assert last == Reply("", (ToolCall("call-0", "bash", {"command": "ls"}),), Usage(5, 3, 2, 0.1))
    with pytest.raises(AuthorError, match=r"there is no further answer for 'study'\. Add one to the script"):
        model.complete(ask("study"))


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '"text"',
        "{}",
        '{"purpose": "x", "tool_calls": [{"name": "bash"}]}',
        '{"purpose": "x", "usage": {"a": 1}}',
    ],
)
def test_a_line_that_is_no_answer_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text('{"purpose": "study"}\n' + line + "\n")
    with pytest.raises(AuthorError, match=rf"^{path}:2: not an answer: "):
        ScriptedModel.from_file(path)


def test_a_request_is_named_by_all_it_asks() -> None:
    same, other = ask("attempt"), Request("attempt", ({"role": "user", "content": "Stop."},))
    assert ask("attempt").digest == same.digest
    assert len({same.digest, other.digest, ask("study").digest}) == 3


def test_a_replayed_run_gives_the_same_answers_asks_the_same_questions_and_scores_the_same(
    solved: Any, house: Any, tiny: Any
) -> None:
    """In a copy of the house: other tests take its newest run for the one that was recorded."""
    recorded = solved.newest().id
    with closing(sqlite3.connect(solved.db)) as source, closing(sqlite3.connect(house.db)) as target:
        source.backup(target)
    copytree(solved.root / "home", house.root / "home")
    done = house.call("run", tiny.where, "--model", f"replay:{recorded}", "--json")
    assert done.code == 0, done.err
    assert done.json["model"] == f"replay:{recorded}"

    def told(run: str) -> dict[str, list[Any]]:
        answers = house.events("model.reply", run=run)
        scores = house.events("submission.scored", run=run)
        return {
            "answers": [(each["content"], each["tool_calls"]) for each in answers],
            "questions": [each["request_digest"] for each in answers],
            "frozen": [each["digest"] for each in house.events("harness.frozen", "submission.frozen", run=run)],
            "results": [each["text"] for each in house.events("tool.result", run=run)],
            "scores": [(each["split"], each["state"], each["value"], each["checks"]) for each in scores],
        }

    first, second = told(recorded), told(done.json["id"])
    assert first["answers"], "there is something to compare"
    assert first == second


def test_replaying_a_run_that_is_not_there_is_one_clear_line(solved: Any, tiny: Any) -> None:
    done = solved.call("run", tiny.where, "--model", "replay:nosuch")
    assert done.code == 2
    assert "there is no run 'nosuch'" in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_a_replay_of_an_empty_purpose_stops_clearly(tmp_path: Path) -> None:
    from agent.models.replay import replay_model  # noqa: PLC0415 - beside its only use

    with Ledger.open(tmp_path / "runs.db") as ledger:
        run_id = ledger.new_run(task="t", task_digest="0" * 64, model="m", config={})
        with pytest.raises(AuthorError, match=rf"^replay:{run_id}: there is no further answer for 'study'"):
            replay_model(ledger, run_id).complete(ask("study"))


def test_an_engine_of_our_own_is_called_local_by_people_and_by_its_own_name_by_litellm() -> None:
    from agent.cli import _local_model  # noqa: PLC0415 - beside its only use
    from serving.endpoint import Endpoint  # noqa: PLC0415 - the same

    model = _local_model(Endpoint("http://127.0.0.1:9/v1", "qwen2.5-coder-0.5b", "key"))
    assert model.name == "local:qwen2.5-coder-0.5b"
    assert model._arguments(ask("study"))["model"] == "openai/qwen2.5-coder-0.5b"

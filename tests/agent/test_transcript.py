"""The conversation is in the ledger before it is in memory, and is rebuilt from there word for word."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from agent.journal import Journal
from agent.model import Reply
from agent.thread import Thread
from agent.transcript import INTERRUPTED, Transcript
from evals.ledger import Ledger
from tools.base import ToolCall, ToolResult


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Ledger.open(tmp_path / "runs.db") as ledger:
        run_id = ledger.new_run(task="t", task_digest="0" * 64, model="m", config={})
        yield Journal(ledger, ledger.recorder(run_id))


def hear(journal: Journal, transcript: Transcript, *calls: ToolCall, thread: bool = True) -> None:
    """What agent/run.py does with an answer."""
    reply = Reply("text", calls)
    payload = {"purpose": "attempt", "thread": thread, "content": "text", "seconds": 0.0}
    called = [asdict(call) for call in calls]
    journal.append("model.reply", {**payload, "tool_calls": called, "usage": asdict(reply.usage)})
    if thread:
        transcript.hear(reply)


def restored(journal: Journal) -> Thread:
    transcript = Transcript(journal)
    transcript.restore()
    return transcript.messages


def test_a_conversation_is_rebuilt_word_for_word(journal: Journal) -> None:
    transcript = Transcript(journal)
    transcript.say("system", "Be good.")
    transcript.say("user", "Go.")
    first, second = ToolCall("a", "bash", {"command": "ls"}), ToolCall("b", "bash", {"command": "é"})
    hear(journal, transcript, first, second)
    hear(journal, transcript, thread=False)
    transcript.answer(first, ToolResult("x\n"))
    transcript.answer(second, ToolResult("no", is_error=True))
    assert [message["role"] for message in transcript.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert restored(journal) == transcript.messages


def test_a_call_left_unanswered_is_answered_as_interrupted_and_once(journal: Journal) -> None:
    transcript = Transcript(journal)
    done, left = ToolCall("a", "bash", {}), ToolCall("b", "python", {})
    hear(journal, transcript, done, left)
    transcript.answer(done, ToolResult("fine"))
    for _ in range(2):
        messages = restored(journal)
        assert [(each["tool_call_id"], each["content"]) for each in messages if each["role"] == "tool"] == [
            ("a", "fine"),
            ("b", INTERRUPTED),
        ]


def test_an_id_used_again_in_a_later_turn_is_another_call(journal: Journal) -> None:
    transcript = Transcript(journal)
    call = ToolCall("call-0", "bash", {})
    hear(journal, transcript, call)
    transcript.answer(call, ToolResult("first"))
    hear(journal, transcript, call)
    answers = [each["content"] for each in restored(journal) if each["role"] == "tool"]
    assert answers == ["first", INTERRUPTED]

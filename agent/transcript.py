"""The one long conversation of a depth search: append-only, recorded as it grows, rebuilt from the ledger.

Being append-only keeps the engine's prefix cache warm: every prompt extends the one before. A tool call that was under
way when an earlier life of the run ended is answered as interrupted, never run a second time.
"""

from typing import Any

from agent.journal import Journal
from agent.model import Reply
from agent.models.replay import reply_from
from agent.thread import START, Message, Thread, chained
from tools.base import ToolCall, ToolResult

INTERRUPTED = (
    "The run was interrupted while this call was under way; its outcome is unknown. Check before you repeat it."
)


class Transcript:
    """Messages in the chat format; each is in the ledger before it is in the list."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._messages: list[Message] = []
        self._digest = START

    @property
    def messages(self) -> Thread:
        """All of them so far."""
        return Thread(self._messages, self._digest)

    def say(self, role: str, content: str) -> None:
        """Add a system or user message."""
        self._journal.append("message.added", {"role": role, "content": content})
        self._add({"role": role, "content": content})

    def hear(self, reply: Reply) -> None:
        """Add the model's turn, which the ledger already holds as `model.reply`."""
        self._add(reply.as_message())

    def answer(self, call: ToolCall, result: ToolResult) -> None:
        """Add what a tool call gave."""
        payload = {"call_id": call.id, "name": call.name, "text": result.text, "is_error": result.is_error}
        self._journal.append("tool.result", payload)
        self._add(_tool_message(payload))

    def restore(self) -> None:
        """Rebuild from the ledger, and answer what was left unanswered."""
        for kind, payload in self._journal.all("message.added", "model.reply", "tool.result"):
            if kind == "message.added":
                self._add({"role": payload["role"], "content": payload["content"]})
            elif kind == "tool.result":
                self._add(_tool_message(payload))
            elif payload["thread"]:
                self._add(reply_from(payload).as_message())
        for call_id, name in self._unanswered():
            self.answer(ToolCall(call_id, name, {}), ToolResult(INTERRUPTED, is_error=True))

    def _add(self, message: Message) -> None:
        self._messages.append(message)
        self._digest = chained(self._digest, message)

    def _unanswered(self) -> list[tuple[str, str]]:
        asked: dict[str, str] = {}
        for message in self._messages:
            for call in message.get("tool_calls", ()):
                asked[call["id"]] = call["function"]["name"]
            if message["role"] == "tool":
                asked.pop(message["tool_call_id"], None)
        return list(asked.items())


def _tool_message(payload: dict[str, Any]) -> Message:
    return {"role": "tool", "tool_call_id": payload["call_id"], "content": payload["text"]}

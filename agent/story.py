"""What was said in a run, in order: the conversation, and the samples of a tree search, from the ledger.

Questions of a tree search are recorded by their digest only, so its answers stand alone.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agent.plain import plain
from evals.ledger import Ledger, Payload

KINDS = ("message.added", "model.reply", "tool.result")


@dataclass(frozen=True)
class Turn:
    """One thing that was said."""

    at: str
    role: str
    """system, user, assistant or tool; sample: an answer outside the conversation."""
    about: str
    """The phase an answer belongs to, the tool that gave a result."""
    content: str
    tool_calls: tuple[dict[str, Any], ...] = ()


def turns(ledger: Ledger, run_id: str) -> Iterator[Turn]:
    """Every turn, oldest first; AuthorError names a changed event."""
    for event in ledger.events(run_id, kinds=KINDS):
        yield _turn(event.kind, event.at, event.fields)


def _turn(kind: str, at: str, said: Payload) -> Turn:
    if kind == "message.added":
        return Turn(at, said.text("role"), "", said.text("content"))
    if kind == "tool.result":
        return Turn(at, "tool", said.text("name"), said.text("text"))
    calls = tuple(
        {"name": call.text("name"), "arguments": dict(call.part("arguments").fields)}
        for call in said.parts("tool_calls")
    )
    role = "assistant" if said.flag("thread") else "sample"
    return Turn(at, role, said.text("purpose"), said.text("content"), calls)


def as_markdown(run_id: str, said: Sequence[Turn]) -> str:
    """The turns as a page, each in a fence that nothing in it can close."""
    return "\n".join([f"# {plain(run_id)}", *map(_section, said)]) + "\n"


def _section(turn: Turn) -> str:
    heading = f"\n## {plain(turn.role)}{f', {plain(turn.about)}' if turn.about else ''} · {plain(turn.at)}\n"
    calls = [f"{call['name']} {json.dumps(call['arguments'], indent=2)}" for call in turn.tool_calls]
    return "\n".join([heading, *(_fenced(text) for text in (turn.content, *calls) if text)])


def _fenced(text: str) -> str:
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{lines_of(text)}\n{fence}"


def lines_of(text: str) -> str:
    """Text from elsewhere, its lines kept and nothing in them that a terminal would obey."""
    return "\n".join(plain(line.expandtabs(4)) for line in text.split("\n")).rstrip()

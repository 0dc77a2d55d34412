"""A model that gives the recorded answers of an earlier run again, in their order."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agent.model import Reply, Usage
from agent.models.scripted import ScriptedModel
from evals.ledger import Event, Ledger
from tools.base import ToolCall


def replay_model(ledger: Ledger, run: str, *, skip: Mapping[str, int] | None = None) -> ScriptedModel:
    """The answers of `run` (an id, a unique prefix, or "last"), as they were recorded."""
    summary = ledger.run(run)
    events = ledger.events(summary.id, kinds={"model.reply"})
    return ScriptedModel(f"replay:{summary.id}", _replies(events), skip=skip)


def _replies(events: Iterable[Event]) -> Iterator[tuple[str, Reply]]:
    for event in events:
        payload = json.loads(event.payload)
        yield payload["purpose"], reply_from(payload)


def reply_from(payload: Mapping[str, Any]) -> Reply:
    """The answer that a `model.reply` event records."""
    calls = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in payload["tool_calls"])
    return Reply(payload["content"], calls, Usage(**payload["usage"]), payload["seconds"])

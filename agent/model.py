"""What the agent asks of a language model, whoever answers: an API, the local engine, a recording, a script.

A `Request` carries the whole prompt, so that an answer depends on nothing else and can be replayed; a `Reply` carries
the text, the tool calls as parsed, and what it cost. Errors: AuthorError for what the user chose wrongly (an unknown
model, a missing key), EnvironmentFailure when nobody answers.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent.thread import Message, digest_of
from tools.base import ToolCall


@dataclass(frozen=True)
class Request:
    """One question. `purpose` names the phase; `schema` and `prefill` shape the answer where the engine can."""

    purpose: str
    messages: Sequence[Message]
    tools: tuple[dict[str, Any], ...] = ()
    schema: dict[str, Any] | None = None
    prefill: str = ""
    """The answer's beginning, as if the model had written it; only for models with `guided`."""
    temperature: float = 0.7
    max_tokens: int = 1024
    stop: tuple[str, ...] = ()
    seed: int | None = None

    @property
    def digest(self) -> str:
        """Names the question in the ledger."""
        shape = {name: value for name, value in vars(self).items() if name != "messages"}
        return hashlib.sha256(digest_of(self.messages) + json.dumps(shape, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Usage:
    """Tokens of one answer; `cached` of the `prompt` ones came from the engine's prefix cache."""

    prompt: int = 0
    cached: int = 0
    output: int = 0
    cost_usd: float | None = None
    """None when the model has no known price; that is not the same as free."""

    @property
    def total(self) -> int:
        return self.prompt + self.output


@dataclass(frozen=True)
class Reply:
    """One answer."""

    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    finish_reason: str = "stop"

    def as_message(self) -> Message:
        """The answer as a turn of the conversation, in the chat format.

        Arguments are written with sorted keys, as the ledger keeps them: a resumed or replayed run asks the same bytes.
        """
        message: Message = {"role": "assistant", "content": self.content}
        if self.tool_calls:
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(call.arguments, sort_keys=True)},
                }
                for call in self.tool_calls
            ]
        return message


class Model(Protocol):
    """Answers requests. `guided` says whether schemas, required tool calls and prefills are kept to the letter."""

    name: str
    guided: bool

    def complete(self, request: Request) -> Reply:
        """One answer."""

    def sample(self, requests: Sequence[Request]) -> Iterator[Reply]:
        """One answer to each request, in their order, asked side by side so that an engine can batch them.

        Whoever stops reading does not wait for the answers that are not there yet.
        """

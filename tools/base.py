"""What a tool is: a name, a description, a JSON schema for its arguments, and `run`.

A tool acts on the box it is handed in `ToolContext` and answers with text (and images). What the model can mend it
raises as `ToolError`; `tools/registry.py` turns that into a result. A tool object holds no state of a run: one object
serves every run, from several threads.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tools.errors import ToolError
from tools.sandbox import OUTPUT_LIMIT, Sandbox

JSONSchema = Mapping[str, Any]

MALFORMED = "__malformed__"
"""The one argument of a call whose arguments cannot be used as they came; its value says what they were, or why."""


def readable(text: str) -> str:
    """The text with half surrogate pairs written out, so that UTF-8 can hold it, and with it the ledger and the model.

    They come from file names that are not UTF-8, from escapes in JSON, and from answers cut off in mid-character.
    """
    return text.encode(errors="backslashreplace").decode()


@dataclass(frozen=True)
class Image:
    """A picture for the model."""

    data: bytes
    media_type: str = "image/png"


@dataclass(frozen=True)
class ToolCall:
    """What the model asked for. `id` ties the result to the call."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class ToolResult:
    """What the model gets back."""

    text: str
    images: tuple[Image, ...] = ()
    is_error: bool = False


@dataclass(frozen=True)
class ToolContext:
    """What a tool may use."""

    sandbox: Sandbox
    submit: Callable[[str], str]
    """Hands in the submission at an absolute path in the box; the feedback as text."""
    timeout: float = 120.0
    """Seconds a call may take unless it asks for more; the bound for every plugin."""
    max_timeout: float = 600.0
    """Seconds a call may ask for."""
    shown_chars: int = 16_000
    """Characters of output the model sees; the rest is cut out of the middle."""
    kept_bytes: int = OUTPUT_LIMIT
    """Bytes of output kept whole in a file in the box when it is cut."""

    def seconds(self, asked: float | None) -> float:
        """The timeout a call asked for; ToolError when that is more than allowed."""
        if asked is None:
            return self.timeout
        if asked > self.max_timeout:
            number = str(asked)
            shown = number if len(number) <= 20 else f"{number[:20]}… ({len(number)} characters)"
            raise ToolError(f"timeout {shown} is more than the {self.max_timeout:g} s allowed")
        return asked


class Tool(Protocol):
    """The interface of every tool, built in or plugged in. `tools.testing.check_tool` holds an implementation to it."""

    @property
    def name(self) -> str:
        """Letters, digits, `_` and `-`; unique among all tools."""

    @property
    def description(self) -> str:
        """For the model: what it does, and what to know before using it."""

    @property
    def parameters(self) -> JSONSchema:
        """A JSON schema (2020-12) of type object. Arguments are checked against it before `run`."""

    def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        """Do it. Raises ToolError for what the model can mend."""

"""A model that reads its answers from a file: JSON lines `{"purpose", "content"?, "tool_calls"?}`.

It drives the graph deterministically in tests. Answers are taken in order, each purpose from its own queue. It claims
nothing about what a real model would do.
"""

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from agent.model import Reply, Request, Usage
from tools.base import ToolCall
from tools.errors import AuthorError


class ScriptedModel:
    """Answers from queues, one a purpose; `skip` says how many answers of each were given in an earlier life."""

    def __init__(
        self,
        name: str,
        replies: Iterable[tuple[str, Reply]],
        *,
        guided: bool = True,
        skip: Mapping[str, int] | None = None,
    ) -> None:
        self.name = name
        self.guided = guided
        self._queues: dict[str, deque[Reply]] = defaultdict(deque)
        self._lock = Lock()
        for purpose, reply in replies:
            self._queues[purpose].append(reply)
        for purpose, count in (skip or {}).items():
            for _ in range(min(count, len(self._queues[purpose]))):
                self._queues[purpose].popleft()

    @classmethod
    def from_file(cls, path: Path, *, skip: Mapping[str, int] | None = None) -> "ScriptedModel":
        """Read a script; AuthorError names the line that is not one."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise AuthorError(f"the script cannot be read: {error}", where=str(path)) from None
        entries = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
        return cls(f"scripted:{path}", [_parse(line, f"{path}:{number}") for number, line in entries], skip=skip)

    def complete(self, request: Request) -> Reply:
        with self._lock:
            queue = self._queues[request.purpose]
            if not queue:
                raise AuthorError(
                    f"there is no further answer for {request.purpose!r}",
                    where=self.name,
                    remedy="Add one to the script",
                )
            return queue.popleft()

    def sample(self, requests: Sequence[Request]) -> Iterator[Reply]:
        return map(self.complete, requests)


def _parse(line: str, where: str) -> tuple[str, Reply]:
    try:
        entry: dict[str, Any] = json.loads(line)
        calls = tuple(
            ToolCall(id=f"call-{index}", name=call["name"], arguments=call["arguments"])
            for index, call in enumerate(entry.get("tool_calls") or ())
        )
        usage = Usage(**entry.get("usage", {}))
        return str(entry["purpose"]), Reply(str(entry.get("content", "")), calls, usage)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AuthorError(
            f"not an answer: {error!r}", where=where, remedy='Write {"purpose": …, "content": …, "tool_calls": […]}'
        ) from None

"""One run: the parts its nodes work with, and the few acts they share.

The graph's state holds identifiers and counters; what they stand for is here or in the ledger. `agent/cli.py` puts the
parts together.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from agent.budget import Budget
from agent.journal import Journal
from agent.model import Model, Reply, Request
from agent.transcript import Transcript
from evals.grading import Grader
from evals.harness import Harness, parse_harness
from evals.task import Task
from harness_builder.gate import Gate
from tools.files import FileTree
from tools.registry import Registry
from tools.sandbox import Sandbox

SearchKind = Literal["depth", "tree"]


@dataclass(frozen=True)
class Settings:
    """What the person who starts a run decides."""

    search: SearchKind
    seed: int = 0
    width: int = 16
    """Candidates sampled side by side in one round of a tree search."""
    max_harness_versions: int = 6
    max_attempts: int = 200
    max_turns: int = 200
    """Model turns in one phase of a depth search."""


@dataclass
class Run:
    """Everything a node needs."""

    task: Task
    settings: Settings
    journal: Journal
    model: Model
    budget: Budget
    grader: Grader
    gate: Gate
    workspace: Sandbox
    registry: Registry
    transcript: Transcript

    def ask(self, request: Request, *, thread: bool) -> Reply:
        """Ask the model once; `thread` says whether the answer belongs to the transcript."""
        self.budget.check()
        reply = self.model.complete(request)
        self._note(request, reply, thread)
        return reply

    def ask_each(self, requests: Sequence[Request]) -> list[Reply]:
        """Ask side by side; none of the answers belongs to the transcript."""
        self.budget.check()
        replies = self.model.sample(requests)
        for request, reply in zip(requests, replies, strict=True):
            self._note(request, reply, thread=False)
        return replies

    def _note(self, request: Request, reply: Reply, thread: bool) -> None:
        self.budget.count(reply.usage)
        self.journal.append(
            "model.reply",
            {
                "purpose": request.purpose,
                "request_digest": request.digest,
                "thread": thread,
                "content": reply.content,
                "tool_calls": [asdict(call) for call in reply.tool_calls],
                "usage": asdict(reply.usage),
                "seconds": round(reply.seconds, 3),
                "finish_reason": reply.finish_reason,
            },
        )

    def freeze(self, kind: Literal["harness", "submission"], tree: FileTree, **more: Any) -> str:
        """Keep a tree in the ledger and record it; the digest that names it from now on."""
        blob = self.journal.ledger.put_tree(tree)
        self.journal.append(f"{kind}.frozen", {"digest": tree.digest, "blob": blob, "files": list(tree), **more})
        return tree.digest

    def frozen(self, kind: Literal["harness", "submission"], digest: str) -> FileTree:
        """The tree frozen under this digest."""
        for _, payload in reversed(self.journal.all(f"{kind}.frozen")):
            if payload["digest"] == digest:
                return self.journal.ledger.get_tree(payload["blob"])
        raise KeyError(digest)

    def harness(self, digest: str) -> Harness:
        return parse_harness(self.frozen("harness", digest))

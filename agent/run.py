"""One run: the parts its nodes work with, and the few acts they share.

The graph's state holds identifiers and counters; what they stand for is here or in the ledger. `agent/cli.py` puts the
parts together.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from agent import snapshots
from agent.budget import Budget
from agent.journal import Journal
from agent.model import Model, Reply, Request
from agent.models.replay import reply_from
from agent.prompts import render
from agent.snapshots import Snapshots
from agent.state import State
from agent.transcript import Transcript
from evals.grading import Grader
from evals.harness import Harness, parse_harness
from evals.ledger.chain import canonical
from evals.task import Task
from harness_builder.gate import Gate
from tools.base import MALFORMED, ToolCall, readable
from tools.errors import AuthorError
from tools.files import FileTree
from tools.registry import Registry
from tools.sandbox import Sandbox

SearchKind = Literal["depth", "tree"]
Kind = Literal["harness", "submission"]
KINDS: tuple[Kind, ...] = ("harness", "submission")


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
    snapshots: Snapshots
    _blobs: dict[tuple[Kind, str], str] = field(default_factory=dict)
    """What is frozen: kind and digest → the blob that holds it."""
    _unused: dict[str, Reply] = field(default_factory=dict)
    """Question → its answer, of a round of samples that an earlier life did not finish."""

    def ask(self, request: Request, *, thread: bool) -> Reply:
        """Ask the model once; `thread` says whether the answer belongs to the transcript."""
        self.budget.check()
        return self._note(request, self.model.complete(request), thread)

    def ask_each(self, requests: Sequence[Request]) -> list[Reply]:
        """Ask side by side; none of the answers belongs to the transcript.

        Each is recorded when its turn comes, so an interruption loses none before it; what an earlier life has heard
        already is not asked again.
        """
        self.budget.check()
        heard = [self._unused.pop(request.digest, None) for request in requests]
        missing = self.model.sample([each for each, reply in zip(requests, heard, strict=True) if reply is None])
        return [
            self._note(request, next(missing), thread=False) if reply is None else reply
            for request, reply in zip(requests, heard, strict=True)
        ]

    def _note(self, request: Request, reply: Reply, thread: bool) -> Reply:
        """Record an answer; it is used as it was recorded, so that a resumed or replayed run sees the same."""
        reply = _recordable(reply)
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
        return reply

    def standing(self) -> State:
        """What an earlier life had promoted, for a run whose place in the graph is lost; empty for a new run."""
        promoted = self.journal.last("submission.promoted")
        if promoted is None:
            return {}
        return {"best": promoted["digest"], "best_value": promoted["value"], "best_clean": promoted["clean"]}

    def restore_workspace(self) -> None:
        """Fill the fresh workspace; the model is told of what it misses there, if it has begun to work in it."""
        missing = self.snapshots.restore()
        if self.journal.last(snapshots.KIND) is not None and self.settings.search == "depth":
            left_out = f"Too large to be kept, and gone: {', '.join(missing)}." if missing else ""
            self.transcript.say("user", render("resumed", left_out=left_out))

    def restore_answers(self) -> None:
        """Take up what an earlier life has heard and not used: the samples of a round that it did not finish."""
        for kind, payload in self.journal.all("model.reply", "search.round"):
            if kind == "search.round":
                self._unused.clear()
            elif not payload["thread"]:
                self._unused[payload["request_digest"]] = reply_from(payload)

    def restore_frozen(self) -> None:
        """Take up what earlier lives have frozen."""
        for kind in KINDS:
            for _, payload in self.journal.all(f"{kind}.frozen"):
                self._blobs[kind, payload["digest"]] = payload["blob"]

    def freeze(self, kind: Kind, tree: FileTree, **more: Any) -> str:
        """Keep a tree in the ledger and record it; the digest that names it from now on."""
        blob = self.journal.ledger.put_tree(tree)
        self.journal.append(f"{kind}.frozen", {"digest": tree.digest, "blob": blob, "files": list(tree), **more})
        self._blobs[kind, tree.digest] = blob
        return tree.digest

    def frozen(self, kind: Kind, digest: str) -> FileTree:
        """The tree frozen under this digest."""
        return self.journal.ledger.get_tree(self._blobs[kind, digest])

    def harness(self, digest: str) -> Harness:
        return parse_harness(self.frozen("harness", digest))


def _recordable(reply: Reply) -> Reply:
    """The answer as the ledger can hold it: what the model got wrong must reach the model, and not stop the run."""
    calls = tuple(ToolCall(readable(call.id), readable(str(call.name)), _arguments(call)) for call in reply.tool_calls)
    said, ending = readable(reply.content), readable(reply.finish_reason)
    return replace(reply, content=said, tool_calls=calls, finish_reason=ending)


def _arguments(call: ToolCall) -> dict[str, Any]:
    if not isinstance(call.arguments, dict):
        return {MALFORMED: readable(repr(call.arguments)[:500])}
    try:
        canonical({"tool_calls": [{"arguments": call.arguments}]})  # as deep as they will lie in the event
    except AuthorError as error:
        return {MALFORMED: readable(str(error))}
    return call.arguments

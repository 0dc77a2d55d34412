"""A phase of a depth search: the model acts through tools until it submits a directory.

What a call did wrong goes back to the model as its result. A model that does not act at all is told so a few times, and
then given up on: Stalled ends the run with what has been promoted.
"""

from collections.abc import Callable
from dataclasses import replace

from agent.model import Request
from agent.prompts import render
from agent.run import Run
from tools.base import ToolCall, ToolContext
from tools.errors import ToolError
from tools.files import FileTree

MAX_USELESS = 10
MAX_TOKENS = 4096


class Stalled(Exception):
    """The model does not get on: too many answers without a tool call, or too many turns without a submission."""


def converse(run: Run, purpose: str) -> FileTree:
    """Take turns until `submit` is called on a directory that can be collected; that directory's files."""
    useless = 0
    for _ in range(run.settings.max_turns):
        reply = run.ask(
            Request(
                purpose=purpose,
                messages=run.transcript.messages,
                tools=tuple(run.registry.schemas()),
                max_tokens=MAX_TOKENS,
                seed=run.settings.seed,
            ),
            thread=True,
        )
        run.transcript.hear(reply)
        acted, submitted = _act(run, reply.tool_calls)
        if submitted is not None:
            return submitted
        useless = 0 if acted else useless + 1
        if useless >= MAX_USELESS:
            raise Stalled(f"the model gave {useless} answers in a row without a usable tool call, in phase {purpose}")
        if not reply.tool_calls:
            run.transcript.say("user", render("nudge", tools=", ".join(run.registry.names)))
    raise Stalled(f"the model took {run.settings.max_turns} turns without submitting, in phase {purpose}")


def _act(run: Run, calls: tuple[ToolCall, ...]) -> tuple[bool, FileTree | None]:
    """Run the calls of one turn: whether any was usable, and the files of the last submitted directory."""
    acted = False
    submitted: list[FileTree] = []

    def submit(path: str) -> str:
        tree = run.workspace.get(path)
        if not tree:
            raise ToolError(f"{path} holds no file", remedy="Write it first.")
        submitted.append(tree)
        return f"Received {len(tree)} files from {path}."

    for call in calls:
        run.journal.append("tool.call", {"call_id": call.id, "name": call.name, "arguments": dict(call.arguments)})
        result = run.registry.call(call, _context(run, submit))
        # Before the answer is recorded: what was answered is kept, and what is not kept is told as interrupted.
        run.snapshots.take(milestone=bool(submitted))
        run.transcript.answer(call, result)
        acted = acted or not result.is_error
    return acted, submitted[-1] if submitted else None


def _context(run: Run, submit: Callable[[str], str]) -> ToolContext:
    """What a tool may use now: its box, and no more time than the run has left."""
    left = max(1.0, run.budget.seconds_left)
    context = ToolContext(sandbox=run.workspace, submit=submit)
    return replace(context, timeout=min(context.timeout, left), max_timeout=min(context.max_timeout, left))

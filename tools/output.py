"""Commands and their output as a model reads them.

Nothing is cut without a word: head and tail are shown, the text between says how much is missing and which file in the
box has the whole. That file is itself bounded (`ToolContext.kept_bytes`), and the text says that too.
"""

import hashlib
from collections.abc import Sequence

from tools.base import ToolContext, ToolResult
from tools.errors import ToolError
from tools.files import FileTree

FOLDER = "/workspace/.outputs"


def run_shown(
    context: ToolContext, argv: Sequence[str], timeout: float, env: dict[str, str] | None = None
) -> ToolResult:
    """Run a command with stderr merged into stdout, and show how it went."""
    merged = ["bash", "-c", 'exec "$@" 2>&1', "bash", *argv]
    done = context.sandbox.run(merged, timeout=timeout, env=env, output_limit=context.kept_bytes)
    parts = [shown(context, done.stdout, done.stdout_total) or "(no output)"]
    if done.timed_out:
        parts.append(f"[stopped after {timeout:g} s, and with it every process in the box]")
    elif done.exit_code == 137:
        parts.append("[exit code 137: killed, most likely because memory ran out]")
    elif done.exit_code:
        parts.append(f"[exit code {done.exit_code}]")
    return ToolResult("\n".join(parts), is_error=done.exit_code != 0)


def shown(context: ToolContext, data: bytes, total: int | None = None) -> str:
    """Output as text, no longer than the context allows; `total` bytes were written when `data` is not all of it."""
    text = data.decode(errors="replace")
    total = len(data) if total is None else total
    note = ""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        # A sequence cut off by the limit is no fault of the command.
        if total == len(data) or error.start < len(data) - 3:
            note = "\n[not UTF-8: bytes that could not be read are shown as \N{REPLACEMENT CHARACTER}]"
    if len(text) <= context.shown_chars and total <= len(data):
        return text.rstrip("\n") + note
    return _cut(context, text, data, total) + note


def _cut(context: ToolContext, text: str, data: bytes, total: int) -> str:
    head = text[: context.shown_chars * 2 // 3]
    tail = text[len(head) :][-(context.shown_chars // 3) :]
    missing = len(text) - len(head) - len(tail)
    beyond = f", and {total - len(data):,} bytes after them that were not kept" if total > len(data) else ""
    return (
        f"{head}\n[... {missing:,} of {len(text):,} characters left out here{beyond}; {_keep(context, data)} ...]\n"
        f"{tail.rstrip()}"
    )


def _keep(context: ToolContext, data: bytes) -> str:
    """Write the whole to a file named by its content, so that the same output is kept once."""
    name = f"{hashlib.sha256(data).hexdigest()[:8]}.txt"
    kept = data[: context.kept_bytes]
    try:
        context.sandbox.put(FileTree({name: kept}), FOLDER)
    except ToolError as error:
        return f"the whole could not be kept ({error.problem})"
    return f"{'the whole is' if len(kept) == len(data) else f'the first {len(kept):,} bytes are'} in {FOLDER}/{name}"

"""The `read_file`, `write_file` and `edit_file` tools.

An edit is an exact replacement of text that occurs once: what the model has not read right it cannot change. Files are
replaced as a whole, so a full disk leaves the old content.
"""

import posixpath
import sys
from typing import Any, ClassVar

from tools.base import JSONSchema, ToolContext, ToolResult
from tools.errors import ToolError
from tools.files import FileTree
from tools.output import shown
from tools.sandbox import WORKSPACE, Sandbox

MAX_BYTES = 2_000_000
READ_SEC = 30.0
PATH: JSONSchema = {
    "type": "string",
    "minLength": 1,
    "description": "Path of the file, absolute or relative to /workspace.",
}


class ReadFile:
    """Shows lines of a file, numbered."""

    name = "read_file"
    description = "Read a text file. Lines are shown behind their number and a tab."
    parameters: ClassVar[JSONSchema] = {
        "type": "object",
        "properties": {
            "path": PATH,
            "first": {"type": "integer", "minimum": 1, "description": "First line to show; 1 when left out."},
            "lines": {"type": "integer", "minimum": 1, "description": "How many lines to show; all when left out."},
        },
        "required": ["path"],
        "additionalProperties": False,
    }

    def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        path = absolute(arguments["path"])
        # A whole number may also be written 2.0, which no slice takes.
        first, count = int(arguments.get("first", 1)), int(arguments.get("lines", sys.maxsize))
        lines = read(context.sandbox, path).split(b"\n")
        if not lines[-1]:
            lines.pop()
        if not lines:
            return ToolResult(f"{path} is empty")
        if first > len(lines):
            raise ToolError(f"there is no line {first}", where=path, remedy=f"It has {len(lines)} lines.")
        wanted = lines[first - 1 :][:count]
        numbered = b"\n".join(b"%d\t%s" % (number, line) for number, line in enumerate(wanted, first))
        return ToolResult(shown(context, numbered))


class WriteFile:
    """Writes a whole file."""

    name = "write_file"
    description = "Write a text file, replacing it when it exists. Missing directories are made."
    parameters: ClassVar[JSONSchema] = {
        "type": "object",
        "properties": {"path": PATH, "content": {"type": "string", "description": "All of the new content."}},
        "required": ["path", "content"],
        "additionalProperties": False,
    }

    def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        path, content = absolute(arguments["path"]), arguments["content"].encode()
        write(context.sandbox, path, content)
        return ToolResult(f"wrote {len(content):,} bytes to {path}")


class EditFile:
    """Replaces text that occurs exactly once."""

    name = "edit_file"
    description = (
        "Replace text in a file. `old` must occur in it exactly once, character by character, indentation included"
        " (without the line numbers that read_file shows)."
    )
    parameters: ClassVar[JSONSchema] = {
        "type": "object",
        "properties": {
            "path": PATH,
            "old": {"type": "string", "minLength": 1, "description": "The text to replace."},
            "new": {"type": "string", "description": "What to put there."},
        },
        "required": ["path", "old", "new"],
        "additionalProperties": False,
    }

    def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        path, old, new = absolute(arguments["path"]), arguments["old"].encode(), arguments["new"].encode()
        content = read(context.sandbox, path)
        count = content.count(old)
        if count == 0:
            raise ToolError("the old text is not in it", where=path, remedy="Read the file and copy the text exactly.")
        if count > 1:
            raise ToolError(f"the old text is in it {count} times", where=path, remedy="Add lines around it.")
        write(context.sandbox, path, content.replace(old, new))
        line = content[: content.index(old)].count(b"\n") + 1
        return ToolResult(f"edited {path} at line {line}")


def absolute(path: str) -> str:
    """The path as the box sees it."""
    return posixpath.normpath(posixpath.join(WORKSPACE, path))


def read(sandbox: Sandbox, path: str) -> bytes:
    """All bytes of a file; ToolError when there is none or it is too large."""
    done = sandbox.run(["cat", "--", path], timeout=READ_SEC, output_limit=MAX_BYTES)
    if done.timed_out:
        raise ToolError(f"reading took more than {READ_SEC:g} s", where=path, remedy="Is it a regular file?")
    if done.exit_code:
        raise ToolError(done.stderr.decode(errors="replace").strip().rsplit(": ", 1)[-1], where=path)
    if done.stdout_total > MAX_BYTES:
        raise ToolError(f"it has more than {MAX_BYTES:,} bytes", where=path, remedy="Use bash to see parts of it.")
    return done.stdout


def write(sandbox: Sandbox, path: str, content: bytes) -> None:
    folder, name = posixpath.split(path)
    sandbox.put(FileTree({name: content}), folder)

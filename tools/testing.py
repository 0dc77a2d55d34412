"""The conformance kit for plugin authors: `check_tool` in one test, and a box that needs no Docker.

    def test_conforms(): check_tool(WordCount(), context_for(FakeSandbox({"/workspace/a.txt": b"two words"})),
                                    examples=[{"path": "a.txt"}])

It checks what the registry and a model rely on. It does not check that the tool does the right thing.
"""

import copy
import json
import posixpath
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from tools.base import Tool, ToolCall, ToolContext, ToolResult
from tools.errors import AuthorError, ToolError
from tools.files import MAX_BYTES, MAX_FILES, FileTree
from tools.registry import Registry, check_shape
from tools.sandbox import OUTPUT_LIMIT, WORKSPACE, Completed, Sandbox, Stamp

ORIGIN = "tool under test"


def check_tool(tool: Tool, context: ToolContext, *, examples: Sequence[Mapping[str, Any]]) -> None:
    """Raise AuthorError naming every way in which the tool breaks the contract.

    `examples` are arguments of calls that succeed in `context`; at least one.
    """
    check_shape(tool, ORIGIN)
    if not examples:
        raise AuthorError("there is no example call", where=f"{ORIGIN}, {tool.name}", remedy="Pass `examples`.")
    problems = [*_schema_problems(tool), *_refusal_problems(tool, context)]
    for arguments in examples:
        problems += _example_problems(tool, context, arguments)
    if problems:
        raise AuthorError("; ".join(problems), where=f"{ORIGIN}, {tool.name}")


def _schema_problems(tool: Tool) -> list[str]:
    problems = []
    if tool.parameters.get("additionalProperties") is not False:
        problems.append("parameters: set additionalProperties to false, or a misspelt argument goes unnoticed")
    for name, schema in tool.parameters.get("properties", {}).items():
        if not (isinstance(schema, Mapping) and str(schema.get("description", "")).strip()):
            problems.append(f"parameters: {name} has no description")
    try:
        json.dumps(dict(tool.parameters))
    except (TypeError, ValueError) as error:
        problems.append(f"parameters: not JSON ({error})")
    return problems


def _refusal_problems(tool: Tool, context: ToolContext) -> list[str]:
    unknown = {"no-such-argument": 1}
    result = _call(tool, context, unknown)
    return [] if result.is_error else ["it accepts an argument that it does not declare"]


def _example_problems(tool: Tool, context: ToolContext, arguments: Mapping[str, Any]) -> list[str]:
    before = copy.deepcopy(dict(arguments))
    result = _call(tool, context, arguments)
    problems = []
    if result.is_error:
        problems.append(f"{before} gives an error: {result.text}")
    if not result.text.strip() and not result.images:
        problems.append(f"{before} gives neither text nor image")
    if dict(arguments) != before:
        problems.append(f"{before} was changed by the call")
    return problems


def _call(tool: Tool, context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    registry = Registry()
    registry.add(tool, origin=ORIGIN)
    return registry.call(ToolCall("1", tool.name, arguments), context)


def _no_command(argv: Sequence[str], stdin: bytes) -> Completed:
    raise ToolError(f"this fake box runs no commands: {' '.join(argv)}", remedy="Give it `respond`.")


class FakeSandbox:
    """Files in a dictionary by absolute path; commands are answered by a function of argv and stdin."""

    def __init__(
        self,
        files: Mapping[str, bytes] | None = None,
        respond: Callable[[Sequence[str], bytes], Completed] = _no_command,
    ) -> None:
        self.files, self._respond = dict(files or {}), respond
        self.commands: list[list[str]] = []

    def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        cwd: str = WORKSPACE,
        env: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        output_limit: int = OUTPUT_LIMIT,
    ) -> Completed:
        self.commands.append(list(argv))
        return self._respond(argv, stdin)

    def put(self, tree: FileTree, dest: str) -> None:
        self.files |= {posixpath.join(dest, path): content for path, content in tree.files.items()}

    def get(
        self,
        path: str,
        *,
        names: Sequence[str] | None = None,
        max_files: int = MAX_FILES,
        max_bytes: int = MAX_BYTES,
    ) -> FileTree:
        if path in self.files:
            return FileTree({posixpath.basename(path): self.files[path]})
        below = path.rstrip("/") + "/"
        found = {name[len(below) :]: content for name, content in self.files.items() if name.startswith(below)}
        if not found:
            raise ToolError(f"{path}: No such file or directory")
        return FileTree({name: data for name, data in found.items() if names is None or name in names})

    def stamps(self, path: str, *, max_files: int = MAX_FILES) -> dict[str, Stamp]:
        return {name: Stamp(len(data), 0, 0, 0, hash(data)) for name, data in self.get(path).files.items()}

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def printed(stdout: bytes, exit_code: int = 0) -> Completed:
    """A command that wrote `stdout` and ended, for `FakeSandbox`."""
    return Completed(exit_code, stdout, b"", len(stdout), 0, timed_out=False, seconds=0.0)


def context_for(sandbox: Sandbox, **settings: Any) -> ToolContext:
    """A context around a box, with a `submit` that echoes the path unless `settings` name another."""
    return ToolContext(sandbox, **{"submit": lambda path: f"submitted {path}", **settings})

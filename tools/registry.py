"""All tools of a run: the built-in ones and those that installed packages offer.

A package offers a tool by an entry point of the group `evalwright.tools` that names a class or function; called
without arguments it gives the tool. A plugin that cannot be loaded, or takes a name in use, stops the start with one
line naming the distribution. A call never raises for what the model or a plugin did wrong: that becomes a result. What
no model can mend (a lost box, a dead engine) passes through.

Plugins are code the user chose to install: they run in the orchestrator and are bounded in time, not confined.
"""

import json
import re
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from types import TracebackType
from typing import Any, Self

import jsonschema
from jsonschema.exceptions import SchemaError, best_match

from tools.base import MALFORMED, Tool, ToolCall, ToolContext, ToolResult, readable
from tools.edit import EditFile, ReadFile, WriteFile
from tools.errors import AuthorError, EvalwrightError, ToolError
from tools.files import MAX_BYTES, MAX_FILES, FileTree
from tools.output import shown
from tools.python import Python
from tools.sandbox import OUTPUT_LIMIT, WORKSPACE, Completed, Sandbox, Stamp
from tools.shell import Bash
from tools.submit import Submit

GROUP = "evalwright.tools"
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
BUILT_IN = "evalwright"
LATE_SEC = 1.0
"""What a plugin has left to return after the box has stopped its command at the deadline."""


def built_ins() -> list[Tool]:
    return [Bash(), ReadFile(), WriteFile(), EditFile(), Python(), Submit()]


class Registry:
    """Tools by name, in the order they were added."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self._origins: dict[str, str] = {}
        for tool in tools:
            self.add(tool)

    @classmethod
    def load(cls) -> "Registry":
        """Built-ins and every installed plugin; AuthorError for the first that is broken."""
        registry, broken = cls.examine()
        if broken:
            raise broken[0]
        return registry

    @classmethod
    def examine(cls) -> "tuple[Registry, list[AuthorError]]":
        """Built-ins and every plugin that can be used, and what is wrong with the others."""
        registry, broken = cls(built_ins()), list[AuthorError]()
        for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
            try:
                registry.add(_load(point), origin=_origin(point))
            except AuthorError as error:
                broken.append(error)
        return registry, broken

    def add(self, tool: Tool, *, origin: str = BUILT_IN) -> None:
        """Add a tool; AuthorError naming `origin` when it is malformed or its name is taken."""
        check_shape(tool, origin)
        if tool.name in self._tools:
            raise AuthorError(
                f"tool name {tool.name!r} is already taken by {self._origins[tool.name]}",
                where=origin,
                remedy="Rename the tool or uninstall one of the two.",
            )
        self._tools[tool.name], self._origins[tool.name] = tool, origin

    @property
    def names(self) -> list[str]:
        return list(self._tools)

    @property
    def origins(self) -> Mapping[str, str]:
        """Tool name → who offers it: "evalwright", or the plugin with its version."""
        return dict(self._origins)

    def tool(self, name: str) -> Tool:
        """The tool of that name; ToolError listing the names when there is none."""
        if name not in self._tools:
            raise ToolError(f"there is no tool {name!r}", remedy=f"There are: {', '.join(self._tools)}.")
        return self._tools[name]

    def only(self, names: Iterable[str]) -> "Registry":
        """A registry of just these tools, in this order; ToolError when there is no such tool."""
        chosen = Registry()
        for name in names:
            chosen.add(self.tool(name), origin=self._origins[name])
        return chosen

    def schemas(self) -> list[dict[str, Any]]:
        """The tools as OpenAI's chat API takes them."""
        return [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in self._tools.values()
        ]

    def call(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Check the arguments and run the tool."""
        try:
            tool = self._checked(call)
            if self._origins[call.name] == BUILT_IN:
                result = tool.run(context, **call.arguments)
            else:
                result = _run_plugin(tool, self._origins[call.name], call.arguments, context)
        except ToolError as error:
            result = ToolResult(str(error), is_error=True)
        return replace(result, text=readable(result.text))

    def _checked(self, call: ToolCall) -> Tool:
        tool = self.tool(call.name)
        _check_json(call)
        try:
            wrong = best_match(jsonschema.Draft202012Validator(tool.parameters).iter_errors(call.arguments))
        except (ArithmeticError, RecursionError) as error:  # a number or a nesting beyond what a schema can be asked
            raise ToolError(f"its arguments cannot be checked: {error}", where=call.name) from None
        if wrong is not None:
            place = ".".join(map(str, wrong.absolute_path))
            raise ToolError(wrong.message[:500], where=f"{call.name}, argument {place}" if place else call.name)
        return tool


def _check_json(call: ToolCall) -> None:
    """ToolError when the arguments are not what JSON in UTF-8 can say: no schema would notice a NaN or half a pair."""
    try:
        json.dumps(call.arguments, allow_nan=False, ensure_ascii=False).encode()
        problem = call.arguments.get(MALFORMED)
    except (ValueError, TypeError, RecursionError) as error:
        problem = str(error)
    if problem is not None:
        raise ToolError(
            f"its arguments cannot be used: {str(problem)[:500]}",
            where=call.name,
            remedy="Give one JSON object, in UTF-8, with finite numbers.",
        )


def check_shape(tool: Tool, origin: str) -> None:
    """AuthorError when the tool lacks what a model needs to be told about it."""
    name = getattr(tool, "name", None)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise AuthorError(
            f"{tool!r} has name {name!r}", where=origin, remedy="Use 1 to 64 letters, digits, '_' or '-'."
        )
    where = f"{origin}, tool {name}"
    description = getattr(tool, "description", None)
    if not isinstance(description, str) or not description.strip():
        raise AuthorError("it has no description", where=where, remedy="Say in one sentence what it does.")
    if not callable(getattr(tool, "run", None)):
        raise AuthorError("it has no run(context, **arguments)", where=where)
    parameters = getattr(tool, "parameters", None)
    if not isinstance(parameters, Mapping) or parameters.get("type") != "object":
        raise AuthorError("its parameters are no JSON schema of type object", where=where)
    try:
        jsonschema.Draft202012Validator.check_schema(parameters)
    except SchemaError as error:
        raise AuthorError(f"its parameters are no JSON schema: {error.message}", where=where) from None


def _origin(point: EntryPoint) -> str:
    return f"plugin {point.dist.name} {point.dist.version}" if point.dist else f"plugin {point.value}"


def _load(point: EntryPoint) -> Tool:
    try:
        tool: Tool = point.load()()
    # Any exception: this is other people's code, and whatever it does at import must end as one line naming it.
    except (Exception, SystemExit) as error:
        raise AuthorError(
            f"entry point {point.name} = {point.value} cannot be loaded: {type(error).__name__}: {error}",
            where=_origin(point),
            remedy="Mend or uninstall it.",
        ) from error
    return tool


def _run_plugin(tool: Tool, origin: str, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
    """Run it in a thread that is left behind when it does not return; its box refuses it from then on."""
    deadline = time.monotonic() + context.timeout
    bounded = replace(context, sandbox=UntilDeadline(context.sandbox, deadline))
    outcome: list[ToolResult | BaseException] = []

    def work() -> None:
        try:
            outcome.append(tool.run(bounded, **arguments))
        except BaseException as error:  # carried over to the calling thread
            outcome.append(error)

    thread = threading.Thread(target=work, name=f"tool {tool.name}", daemon=True)
    thread.start()
    thread.join(context.timeout + LATE_SEC)
    if not outcome:
        raise ToolError(f"it did not return within {context.timeout:g} s and was given up", where=tool.name)
    return _bounded_result(outcome[0], tool, origin, context)


def _bounded_result(outcome: ToolResult | BaseException, tool: Tool, origin: str, context: ToolContext) -> ToolResult:
    if isinstance(outcome, EvalwrightError | KeyboardInterrupt):
        raise outcome
    if isinstance(outcome, BaseException):
        problem = f"the tool itself failed: {type(outcome).__name__}: {outcome}"
        raise ToolError(problem[:1000], where=f"{tool.name} ({origin})", remedy="Go on without it.")
    if not isinstance(outcome, ToolResult) or not isinstance(outcome.text, str):
        raise ToolError(
            f"the tool returned no ToolResult but {type(outcome).__name__}", where=f"{tool.name} ({origin})"
        )
    return replace(outcome, text=shown(context, outcome.text.encode(errors="replace")))


class UntilDeadline:
    """A box for one call: no command outlasts the deadline, and nothing is accepted after it.

    Without it a plugin given up on could hold the box's lock, and the next call would wait for it.
    """

    def __init__(self, sandbox: Sandbox, deadline: float) -> None:
        self._sandbox, self._deadline = sandbox, deadline

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
        timeout = min(timeout, self._left())
        return self._sandbox.run(argv, timeout=timeout, cwd=cwd, env=env, stdin=stdin, output_limit=output_limit)

    def put(self, tree: FileTree, dest: str) -> None:
        self._left()
        self._sandbox.put(tree, dest)

    def get(
        self,
        path: str,
        *,
        names: Sequence[str] | None = None,
        max_files: int = MAX_FILES,
        max_bytes: int = MAX_BYTES,
    ) -> FileTree:
        self._left()
        return self._sandbox.get(path, names=names, max_files=max_files, max_bytes=max_bytes)

    def stamps(self, path: str, *, max_files: int = MAX_FILES) -> dict[str, Stamp]:
        self._left()
        return self._sandbox.stamps(path, max_files=max_files)

    def close(self) -> None:
        """The box belongs to the run, not to the call."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise ToolError("the time of this call is over")
        return left

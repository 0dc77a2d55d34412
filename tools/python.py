"""The `python` tool: a program run by the box's Python."""

from typing import Any, ClassVar

from tools.base import JSONSchema, ToolContext, ToolResult
from tools.files import FileTree
from tools.output import run_shown
from tools.sandbox import WORKSPACE
from tools.shell import TIMEOUT

FOLDER = "/tmp/python"


class Python:
    """Runs a program from a file, so that a traceback shows its lines."""

    name = "python"
    description = (
        "Run a Python program in /workspace and see what it prints. Every call is a new process: variables do not carry"
        " over, files do. Modules in /workspace can be imported."
    )
    parameters: ClassVar[JSONSchema] = {
        "type": "object",
        "properties": {
            "code": {"type": "string", "minLength": 1, "description": "The program."},
            "timeout": TIMEOUT,
        },
        "required": ["code"],
        "additionalProperties": False,
    }

    def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        timeout = context.seconds(arguments.get("timeout"))
        context.sandbox.put(FileTree({"program.py": arguments["code"].encode()}), FOLDER)
        return run_shown(context, ["python3", f"{FOLDER}/program.py"], timeout, {"PYTHONPATH": WORKSPACE})

"""The `bash` tool: one command in the workspace box."""

from typing import Any, ClassVar

from tools.base import JSONSchema, ToolContext, ToolResult
from tools.output import run_shown

TIMEOUT: JSONSchema = {
    "type": "number",
    "minimum": 1,
    "description": "Seconds after which it is stopped, and every other process in the box with it.",
}


class Bash:
    """Runs a command in a new shell; nothing but files carries over to the next call."""

    name = "bash"
    description = (
        "Run a bash command in /workspace and see its output (stdout and stderr together) and exit code. Every call is"
        " a new shell: `cd` and variables do not carry over, files do. Start what shall go on in the background with"
        " `nohup COMMAND > FILE 2>&1 &`."
    )
    parameters: ClassVar[JSONSchema] = {
        "type": "object",
        "properties": {
            "command": {"type": "string", "minLength": 1, "description": "What bash shall run."},
            "timeout": TIMEOUT,
        },
        "required": ["command"],
        "additionalProperties": False,
    }

    def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        return run_shown(context, ["bash", "-c", arguments["command"]], context.seconds(arguments.get("timeout")))

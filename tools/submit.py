"""The `submit` tool: hand in a submission and get its score on the validation split."""

from typing import Any, ClassVar

from tools.base import JSONSchema, ToolContext, ToolResult
from tools.edit import absolute


class Submit:
    """Passes the path on to the orchestrator, which alone collects, runs and grades."""

    name = "submit"
    description = (
        "Hand in a directory with a reproduce.sh. It is copied, run on the validation inputs in a fresh box and graded;"
        " the answer says how it did. Submit early and often: the best submission so far is kept."
    )
    parameters: ClassVar[JSONSchema] = {
        "type": "object",
        "properties": {
            "path": {
                "type": "string",
                "minLength": 1,
                "description": "The directory, absolute or relative to /workspace; `submission` when left out.",
            },
        },
        "additionalProperties": False,
    }

    def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        return ToolResult(context.submit(absolute(arguments.get("path", "submission"))))

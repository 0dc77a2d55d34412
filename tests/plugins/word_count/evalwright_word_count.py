"""A tool that counts the words of a file in the box. Everything a plugin needs is imported from `tools`."""

from typing import Any, ClassVar

from tools.base import JSONSchema, ToolContext, ToolResult
from tools.errors import ToolError


class WordCount:
    """Counts what whitespace separates."""

    name = "word_count"
    description = "Count the words of a UTF-8 text file."
    parameters: ClassVar[JSONSchema] = {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "Absolute path of the file."}},
        "required": ["path"],
        "additionalProperties": False,
    }

    def run(self, context: ToolContext, **arguments: Any) -> ToolResult:
        path = arguments["path"]
        tree = context.sandbox.get(path, max_files=1)
        if len(tree) != 1:
            raise ToolError("it is no file", where=path, remedy="Name a file.")
        return ToolResult(f"{len(tree.text(next(iter(tree))).split())} words")

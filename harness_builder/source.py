"""What a harness's source shows without running it."""

import ast
import re
from collections.abc import Iterator

from evals.harness import Harness

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_ -]{0,40}")
EXPRESSIONS, EXPRESSION_CHARS = 24, 40
WANTED = re.compile(r"expect|want|target|truth|gold|label|answer|reference|correct|true|case|value|name|key|field|row")
CHANCE = re.compile(
    rb"\b(random|uuid|secrets|urandom|time|datetime|perf_counter|monotonic|id\(|hash\(|set\(|getpid|Thread)"
)


def unreadable(harness: Harness) -> str:
    """Why no grading could give a result, as far as the source shows it; empty if it could."""
    for path, data in harness.grading_tree.files.items():
        if path.endswith(".py"):
            try:
                ast.parse(data)
            except SyntaxError as error:
                return f"{path}, line {error.lineno}: {error.msg}"
            except (ValueError, RecursionError, MemoryError):
                return f"{path} cannot be read as a program"
    for requirement, names in harness.requirements.items():
        if absent := [name for name in names if name not in harness.functions]:
            written = ", ".join(sorted(name for name in harness.functions if name.startswith("test"))) or "none"
            return f"{requirement} names {', '.join(absent)}, and no file has it; checks there are: {written}"
    return ""


def literals(harness: Harness) -> list[str]:
    """Words that its metrics and checks hold as text constants: names of keys they look for, among others."""
    found: dict[str, None] = {}
    for path, data in harness.grading_tree.files.items():
        if path.endswith(".py"):
            found |= dict.fromkeys(_constants(data))
    return [word for word in found if word != "id"][:60]


def expressions(harness: Harness) -> list[str]:
    """Names, attributes and look-ups that stand in its source: what a text would say that gets evaluated there."""
    found: dict[str, None] = {}
    for path, data in harness.grading_tree.files.items():
        if path.endswith(".py"):
            nodes = (node for node in _nodes(data) if isinstance(node, ast.Name | ast.Attribute | ast.Subscript))
            found |= dict.fromkeys(ast.unparse(node) for node in nodes)
    likely = [text for text in found if len(text) <= EXPRESSION_CHARS and WANTED.search(text)]
    return sorted(likely, key=len)[:EXPRESSIONS]


def may_vary(harness: Harness) -> bool:
    """Whether it names anything by which two runs could differ."""
    return any(CHANCE.search(data) for path, data in harness.grading_tree.files.items() if path.endswith(".py"))


def _constants(source: bytes) -> list[str]:
    texts = [node.value for node in _nodes(source) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [text for text in texts if WORD.fullmatch(text)]


def _nodes(source: bytes) -> Iterator[ast.AST]:
    try:
        yield from ast.walk(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return

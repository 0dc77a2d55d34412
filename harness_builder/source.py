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

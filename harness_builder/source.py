"""What a harness's source shows without running it."""

import ast
import re

from evals.harness import Harness

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_ -]{0,40}")
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


def may_vary(harness: Harness) -> bool:
    """Whether it names anything by which two runs could differ."""
    return any(CHANCE.search(data) for path, data in harness.grading_tree.files.items() if path.endswith(".py"))


def _constants(source: bytes) -> list[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [text for text in texts if WORD.fullmatch(text)]

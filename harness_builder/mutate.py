"""Plausible wrong programs: a correct one with a single small edit of the kind that people and models make.

Each operator is a function from one syntax node to the nodes it could have been by mistake. Whether an edit changes
any output is seen only by running it; `mutants` says nothing about that.
"""

import ast
import copy
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from tools.files import FileTree

Operator = Callable[[ast.AST], list[ast.AST]]
HEREDOC = re.compile(r"(python3?[^\n]*<<\s*['\"]?(\w+)['\"]?[^\n]*\n)(.*?)(^\2$)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """One edit of one file of a submission."""

    operator: str
    path: str
    line: int
    tree: FileTree
    diff: str

    @property
    def name(self) -> str:
        return f"{self.operator} at {self.path}:{self.line}"


def mutants(submission: FileTree, limit: int, *, seed: int = 0) -> list[Program]:
    """At most `limit` single edits, spread over the operators and over the program."""
    by_operator: dict[str, list[tuple[str, int, str, str]]] = defaultdict(list)
    for path, source, rebuild in _sources(submission):
        for operator, line, edited in _edits(source):
            by_operator[operator].append((path, line, edited, rebuild(edited)))
    chance = random.Random(seed)
    for edits in by_operator.values():
        chance.shuffle(edits)
    chosen = list(_in_turn(list(by_operator.items()), limit))
    sources = {path: source for path, source, _ in _sources(submission)}
    return [
        Program(
            operator,
            path,
            line,
            submission.merged(FileTree({path: whole.encode()})),
            _diff(ast.unparse(ast.parse(sources[path])), edited),
        )
        for operator, (path, line, edited, whole) in chosen
    ]


def _in_turn(groups: Sequence[tuple[str, list]], limit: int) -> Iterator[tuple[str, tuple]]:  # type: ignore[type-arg]
    """One of each group after the other, until there are enough."""
    count = 0
    for place in range(max((len(edits) for _, edits in groups), default=0)):
        for operator, edits in groups:
            if place < len(edits) and count < limit:
                count += 1
                yield operator, edits[place]


def _sources(submission: FileTree) -> Iterator[tuple[str, str, Callable[[str], str]]]:
    """Python in files and here-documents of shell scripts: path, source, and how an edited source becomes the file."""
    for path, data in submission.files.items():
        text = data.decode("utf-8", errors="replace")
        if path.endswith(".py") and _parses(text):
            yield path, text, lambda edited: edited
        elif path.endswith(".sh") and (match := HEREDOC.search(text)) and _parses(match[3]):
            before, after = text[: match.start(3)], text[match.end(3) :]
            yield path, match[3], lambda edited, b=before, a=after: f"{b}{edited}{a}"  # type: ignore[misc]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _edits(source: str) -> Iterator[tuple[str, int, str]]:
    tree = ast.parse(source)
    plain = ast.unparse(tree)
    for index, node in enumerate(ast.walk(tree)):
        for operator in OPERATORS:
            for variant in range(len(operator(node))):
                text = _edited(tree, index, operator, variant)
                if text is not None and text != plain:
                    yield operator.__name__.strip("_").replace("_", " "), getattr(node, "lineno", 0), f"{text}\n"


def _edited(tree: ast.Module, index: int, operator: Operator, variant: int) -> str | None:
    fresh = copy.deepcopy(tree)
    node = next(node for place, node in enumerate(ast.walk(fresh)) if place == index)
    edited = operator(node)[variant]
    node.__class__ = edited.__class__
    node.__dict__.clear()
    node.__dict__.update(edited.__dict__)
    try:
        text = ast.unparse(ast.fix_missing_locations(fresh))
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, AttributeError, TypeError):
        return None
    return text


def _diff(before: str, after: str) -> str:
    lines = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))[2:]
    return "\n".join(lines)


# ---- operators


def _other_arithmetic(node: ast.AST) -> list[ast.AST]:
    swaps: dict[type, type] = {
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.Mult: ast.Div,
        ast.Div: ast.Mult,
        ast.FloorDiv: ast.Div,
        ast.Mod: ast.FloorDiv,
        ast.Pow: ast.Mult,
        ast.MatMult: ast.Mult,
    }
    if isinstance(node, ast.BinOp) and type(node.op) in swaps:
        return [ast.BinOp(node.left, swaps[type(node.op)](), node.right)]
    if isinstance(node, ast.AugAssign) and type(node.op) in swaps:
        return [ast.AugAssign(node.target, swaps[type(node.op)](), node.value)]
    return []


def _other_boundary(node: ast.AST) -> list[ast.AST]:
    swaps: dict[type, type] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
    return _with_comparison(node, swaps)


def _opposite_comparison(node: ast.AST) -> list[ast.AST]:
    swaps: dict[type, type] = {
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
        ast.Lt: ast.Gt,
        ast.Gt: ast.Lt,
        ast.LtE: ast.GtE,
        ast.GtE: ast.LtE,
        ast.In: ast.NotIn,
        ast.Is: ast.IsNot,
        ast.IsNot: ast.Is,
    }
    return _with_comparison(node, swaps)


def _with_comparison(node: ast.AST, swaps: dict[type, type]) -> list[ast.AST]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in swaps:
        return [ast.Compare(node.left, [swaps[type(node.ops[0])]()], node.comparators)]
    return []


def _other_connective(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.BoolOp):
        return []
    return [ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)]


def _off_by_one(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return [ast.Constant(node.value + 1), ast.Constant(node.value - 1)]
    return []


def _other_number(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Constant) and type(node.value) is float and node.value:
        return [ast.Constant(node.value * 2), ast.Constant(node.value * 0.9)]
    return []


def _lost_sign(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        return [node.operand]
    return []


def _negated_result(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Return) and isinstance(node.value, ast.BinOp | ast.Call | ast.Name):
        return [ast.Return(ast.UnaryOp(ast.USub(), node.value))]
    return []


def _range_end(node: ast.AST) -> list[ast.AST]:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" and node.args):
        return []
    place = 0 if len(node.args) == 1 else 1
    shorter = [*node.args]
    shorter[place] = ast.BinOp(node.args[place], ast.Sub(), ast.Constant(1))
    return [ast.Call(node.func, shorter, node.keywords)]


def _lost_call(node: ast.AST) -> list[ast.AST]:
    """sqrt(x), abs(x), log(x), sorted(x): the argument itself."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        name = ast.unparse(node.func).rsplit(".", 1)[-1]
        if name in {"sqrt", "abs", "exp", "log", "log1p", "expm1", "sorted", "float", "int", "round", "square", "set"}:
            return [node.args[0]]
    return []


def _other_function(node: ast.AST) -> list[ast.AST]:
    swaps = {
        "min": "max",
        "max": "min",
        "minimum": "maximum",
        "maximum": "minimum",
        "argmin": "argmax",
        "argmax": "argmin",
        "mean": "sum",
        "sum": "max",
        "any": "all",
        "all": "any",
        "var": "std",
        "std": "var",
        "floor": "ceil",
        "ceil": "floor",
        "sin": "cos",
        "cos": "sin",
    }
    if isinstance(node, ast.Attribute) and node.attr in swaps:
        return [ast.Attribute(node.value, swaps[node.attr], node.ctx)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in swaps:
        return [ast.Call(ast.Name(swaps[node.func.id], ast.Load()), node.args, node.keywords)]
    return []


def _lost_keyword(node: ast.AST) -> list[ast.AST]:
    if not (isinstance(node, ast.Call) and node.keywords):
        return []
    return [
        ast.Call(node.func, node.args, [*node.keywords[:place], *node.keywords[place + 1 :]])
        for place in range(len(node.keywords))
    ]


def _exchanged_arguments(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Call) and len(node.args) >= 2 and not isinstance(node.args[0], ast.Starred):
        return [ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)]
    return []


def _lost_statement(node: ast.AST) -> list[ast.AST]:
    return [ast.Pass()] if isinstance(node, ast.AugAssign) else []


def _lost_condition(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.If | ast.IfExp):
        kind = type(node)
        return [kind(ast.Constant(value), node.body, node.orelse) for value in (True, False)]  # type: ignore[arg-type]
    return []


def _other_index(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.BinOp):
        return [ast.Subscript(node.value, ast.BinOp(node.slice, ast.Sub(), ast.Constant(1)), node.ctx)]
    return []


def _early_end(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Continue):
        return [ast.Break()]
    return [ast.Continue()] if isinstance(node, ast.Break) else []


OPERATORS: tuple[Operator, ...] = (
    _other_arithmetic,
    _other_boundary,
    _opposite_comparison,
    _other_connective,
    _off_by_one,
    _other_number,
    _lost_sign,
    _negated_result,
    _range_end,
    _lost_call,
    _other_function,
    _lost_keyword,
    _exchanged_arguments,
    _lost_statement,
    _lost_condition,
    _other_index,
    _early_end,
)

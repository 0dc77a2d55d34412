"""Small edits of a program that is nearly right: the cheap half of the search.

A model that has the right idea is often off by one, forgets `ddof=1`, or calls `stats.comb`. Trying every such edit
of a promising candidate costs milliseconds; asking the model again costs seconds. The edits are general: they know
Python and numerical code, and nothing of any task. Each yields a whole new source.
"""

import ast
import copy
from collections.abc import Callable, Iterator

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.Lt: (ast.LtE,),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE,),
    ast.GtE: (ast.Gt,),
}
# Where a function that was looked for in the wrong module is likely to be.
MODULES = ("math", "np", "special", "stats", "stats.t", "stats.norm")
WRAPPERS = ("2 * ({})", "0.5 * ({})", "1 - ({})", "-({})", "abs({})", "float({})")
SPREAD = {"var", "std"}
Edit = Callable[[ast.AST], list[ast.AST]]


def mutants(source: str, function: str, *, array_parameters: tuple[str, ...] = (), limit: int = 120) -> Iterator[str]:
    """Sources that differ from `source` by one edit inside `function`; none when it cannot be parsed.

    `array_parameters` are the parameters given as lists: one edit turns them into numpy arrays first.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    seen = {ast.unparse(tree)}
    for edited in _edits(tree, function, array_parameters):
        text = ast.unparse(ast.fix_missing_locations(edited))
        if text not in seen:
            seen.add(text)
            yield text + "\n"
        if len(seen) > limit:
            return


def _edits(tree: ast.Module, function: str, array_parameters: tuple[str, ...]) -> Iterator[ast.Module]:
    if array_parameters:
        yield _with_arrays(tree, function, array_parameters)
    nodes = list(ast.walk(_definition(tree, function) or ast.Pass()))
    for edit in (
        _range_ends,
        _enumerate_start,
        _degrees_of_freedom,
        _moved_attribute,
        _wrapped_return,
        _absolute_argument,
        _constant,
        _swap,
    ):
        for index, node in enumerate(nodes):
            for variant in range(len(edit(node))):
                yield _replaced(tree, function, index, edit, variant)


def _replaced(tree: ast.Module, function: str, index: int, edit: Edit, variant: int) -> ast.Module:
    """A copy of the tree in which one node is replaced by one of its edits."""
    fresh = copy.deepcopy(tree)
    node = list(ast.walk(_definition(fresh, function) or ast.Pass()))[index]
    edited = edit(node)[variant]
    node.__class__ = edited.__class__
    node.__dict__.clear()
    node.__dict__.update(edited.__dict__)
    return fresh


def _definition(tree: ast.Module, function: str) -> ast.FunctionDef | None:
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function]
    return found[-1] if found else None


def _with_arrays(tree: ast.Module, function: str, parameters: tuple[str, ...]) -> ast.Module:
    fresh = copy.deepcopy(tree)
    definition = _definition(fresh, function)
    if definition is not None:
        lines = "".join(f"{name} = np.array({name}, dtype=float)\n" for name in parameters)
        start = 1 if ast.get_docstring(definition) is not None else 0
        definition.body[start:start] = ast.parse(lines).body
    return fresh


def _range_ends(node: ast.AST) -> list[ast.AST]:
    if not (_calls(node, "range") and isinstance(node, ast.Call) and node.args):
        return []
    places = (0,) if len(node.args) == 1 else (1, 0)
    return [
        _with_argument(node, place, f"({ast.unparse(node.args[place])}) {sign} 1") for place in places for sign in "+-"
    ]


def _enumerate_start(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Call) and _calls(node, "enumerate") and len(node.args) == 1 and not node.keywords:
        return [_expression(f"enumerate({ast.unparse(node.args[0])}, 1)")]
    return []


def _degrees_of_freedom(node: ast.AST) -> list[ast.AST]:
    """var and std divide by n unless told otherwise; papers mostly mean n - 1."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SPREAD):
        return []
    arguments = ", ".join(ast.unparse(argument) for argument in node.args)
    return [_expression(f"{ast.unparse(node.func)}({arguments}, ddof={ddof})") for ddof in (1, 0)]


def _moved_attribute(node: ast.AST) -> list[ast.AST]:
    """The same function name in another module, where one of the imported ones has it."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)):
        return []
    if isinstance(node.func, ast.Name) and node.func.id in {"range", "len", "enumerate", "zip", "sum", "abs", "float"}:
        return []
    name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
    here = ast.unparse(node.func)
    moved = [ast.Call(_expression(f"{module}.{name}"), node.args, node.keywords) for module in MODULES]
    return [each for each in moved if ast.unparse(each.func) != here]


def _wrapped_return(node: ast.AST) -> list[ast.AST]:
    if not (isinstance(node, ast.Return) and node.value is not None):
        return []
    if isinstance(node.value, ast.Dict | ast.Tuple | ast.List | ast.Constant):
        return []
    return [ast.Return(_expression(wrapper.format(ast.unparse(node.value)))) for wrapper in WRAPPERS]


def _absolute_argument(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.Call):
        return []
    named = [place for place, argument in enumerate(node.args) if isinstance(argument, ast.Name)]
    return [_with_argument(node, place, f"abs({ast.unparse(node.args[place])})") for place in named]


def _constant(node: ast.AST) -> list[ast.AST]:
    if not (isinstance(node, ast.Constant) and isinstance(node.value, int | float)) or isinstance(node.value, bool):
        return []
    value = node.value
    return [ast.Constant(each) for each in sorted({value + 1, value - 1, value * 2} - {value})]


def _swap(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.BinOp):
        return [ast.BinOp(node.left, other(), node.right) for other in _others(node.op)]  # type: ignore[arg-type]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return [ast.Compare(node.left, [other()], node.comparators) for other in _others(node.ops[0])]  # type: ignore[list-item]
    return []


def _others(operator: ast.AST) -> tuple[type[ast.AST], ...]:
    return SWAPS.get(type(operator), ())


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _with_argument(call: ast.Call, place: int, text: str) -> ast.Call:
    arguments = [*call.args]
    arguments[place] = _expression(text)
    return ast.Call(call.func, arguments, call.keywords)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body

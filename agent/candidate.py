"""What a tree search samples: functions, and how good each proved on the public cases.

An output with several fields is searched field by field: a function may compute one field or the whole output, and a
submission takes each field from the function that computes it best. So a weak model has to be right about one thing
at a time.
"""

import ast
import json
import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from evals.splits import Split
from harness_builder.scaffold import output_fields
from harness_builder.shapes import WHOLE
from tools.files import FileTree

IMPORTS = "import math\n\nimport numpy as np\nfrom scipy import special, stats\n\n\n"
MAX_EXAMPLE = 600
CODE_BLOCK = re.compile(r"```(?:python|py)?\s*\n(.*?)(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Target:
    """What one function has to compute: a field of the output, or all of it (`field` None)."""

    field: str | None
    parameters: tuple[str, ...]
    keyed: bool
    """Whether a case's input is an object whose keys are the parameters."""
    whole_fields: tuple[str, ...]

    @property
    def function(self) -> str:
        return f"compute_{self.field}" if self.field else "solve"

    @property
    def signature(self) -> str:
        return f"{self.function}({', '.join(self.parameters)})"

    @property
    def returns(self) -> str:
        if self.field:
            return f"only the value of {self.field!r} of the output"
        if self.whole_fields != (WHOLE,):
            return f"the output, a dict with the keys {', '.join(map(repr, self.whole_fields))},"
        return "the output (the number or value itself)"

    def prefill(self, known: Sequence[str] = ()) -> str:
        """The beginning of an answer: imports, first line, docstring, and assignments of what is `known` already."""
        summary = f"Return {self.returns.strip(',')}."
        lines = "".join(f"    {line}\n" for line in known)
        return f'```python\n{IMPORTS}def {self.signature}:\n    """{summary}"""\n{lines}'

    def call(self, name: str) -> str:
        """The assignment of field `name`, computed by this target's function."""
        return f"{name} = {self.signature}" + ("" if self.field else f"[{name!r}]")

    def example(self, split: Split) -> str:
        """The smallest public case as a call, unless even that is long."""
        cases = sorted(split.cases, key=lambda case: len(json.dumps([case.input, case.expected])))
        given, expected = cases[0].input, cases[0].expected
        wanted = expected[self.field] if self.field else expected
        arguments = (
            [f"{name}={json.dumps(value)}" for name, value in given.items()] if self.keyed else [json.dumps(given)]
        )
        text = f"For example, {self.function}({', '.join(arguments)}) returns {json.dumps(wanted)}."
        return text if len(text) <= MAX_EXAMPLE else ""

    def array_parameters(self, split: Split) -> tuple[str, ...]:
        """Parameters that are given as lists of numbers."""
        given = split.cases[0].input
        return tuple(name for name in self.parameters if self.keyed and isinstance(given[name], list))


def targets(split: Split) -> tuple[Target, ...]:
    """The whole output first, then each of its fields when there are several."""
    first = split.cases[0].input
    keyed = isinstance(first, dict) and all(_is_name(key) for key in first)
    keyed = keyed and all(isinstance(case.input, dict) and set(case.input) == set(first) for case in split.cases)
    parameters = tuple(first) if keyed else ("input",)
    fields = output_fields(split)
    names = [None, *(name for name in fields if len(fields) > 1 and _is_name(name))]
    return tuple(Target(name, parameters, keyed, fields) for name in names)


@dataclass(frozen=True)
class Candidate:
    """One sampled function and what its rehearsal gave."""

    target: Target
    code: str
    excerpt: int = 0
    """Which piece of the paper it was asked with."""
    origin: str = "sampled"
    """sampled, repaired (by the model), or mutated (by a small edit)."""
    means: Mapping[str, float] = field(default_factory=dict)
    """Metric → mean over all public cases; a case without an output counts as 0."""
    ran: float = 0.0
    """Share of the public cases on which it returned at all."""
    near: float = 0.0
    """How near its numbers come to the expected ones: mean of 1 - relative error, not below 0."""
    seconds: float = 0.0
    """How long its rehearsal took."""
    finding: str = ""
    """The first public case it got wrong, as a sentence for the model."""

    @property
    def functions(self) -> str:
        """The source without the usual imports, as another candidate can take it in."""
        return self.code.removeprefix(IMPORTS).strip() + "\n\n\n"

    def merit(self, name: str) -> tuple[float, float, float, int]:
        """How good it is at one field: correctness, whether it runs at all, how near it comes, brevity."""
        return (self.means.get(name, 0.0), self.ran, self.near, -len(self.code))

    def as_json(self) -> dict[str, Any]:
        return {
            "field": self.target.field,
            "code": self.code,
            "excerpt": self.excerpt,
            "origin": self.origin,
            "seconds": self.seconds,
            "means": dict(self.means),
            "ran": self.ran,
            "near": self.near,
            "finding": self.finding,
        }


def code_in(text: str, target: Target, helpers: str = "") -> str | None:
    """The Python source in an answer, after the usual imports and `helpers`; None when it lacks the function."""
    found = CODE_BLOCK.findall(text)
    source = found[-1] if found else text
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    names = [node.name if isinstance(node, ast.FunctionDef) else "" for node in body]
    if target.function not in names:
        return None
    # What a model adds after the function (examples, prints, its own idea of a helper) is not part of the answer.
    last = body[names.index(target.function)].end_lineno
    kept = "\n".join(source.split("\n")[:last]) + "\n"
    return IMPORTS + helpers + kept.removeprefix(IMPORTS)


def assemble(chosen: Mapping[str | None, Candidate]) -> FileTree:
    """The submission that takes each field from its chosen candidate; the key None stands for the whole output."""
    modules: dict[str, str] = {}
    parts = []
    for name, candidate in chosen.items():
        module = modules.setdefault(candidate.code, f"part_{len(modules)}")
        pick = name if name is not None and candidate.target.field is None else None
        parts.append({"field": name, "module": module, "function": candidate.target.function, "pick": pick})
    sources = {f"{module}.py": code.encode() for code, module in modules.items()}
    program = files("agent").joinpath("box/main.py").read_bytes()
    fixed = {
        "reproduce.sh": b"python3 main.py\n",
        "main.py": program,
        "parts.json": json.dumps(parts, indent=1).encode(),
    }
    return FileTree({**fixed, **sources})


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)

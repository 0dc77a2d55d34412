"""The starting point an agent edits: a whole harness made from a few decisions.

A `Plan` says, for each field of an output, how it is compared and how closely, and which fields each requirement is
about. `default_plan` reads one off the public cases. A strong model edits the files; a small one only decides the plan,
one choice at a time, and the gate tells it what is wrong with it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Literal

from evals.splits import Split
from evals.task import Task
from harness_builder.shapes import WHOLE
from harness_builder.truth import FLOOR, task_tolerance
from tools.files import FileTree

Comparison = Literal["exact", "close", "interval"]
DEFAULT_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Rule:
    """How one field is compared; `tolerance` is relative."""

    compare: Comparison
    tolerance: float = DEFAULT_TOLERANCE
    absolute: float = FLOOR


@dataclass(frozen=True)
class Plan:
    """Field → rule, and requirement id → the fields it is about."""

    rules: Mapping[str, Rule]
    requirements: Mapping[str, Sequence[str]]


def output_fields(split: Split) -> tuple[str, ...]:
    """Names of the parts of an expectation, when every case has the same object; else the whole."""
    first = split.cases[0].expected
    if not isinstance(first, dict) or set(first) == {"low", "high"}:
        return (WHOLE,)
    same = all(isinstance(case.expected, dict) and set(case.expected) == set(first) for case in split.cases)
    return tuple(first) if same and first else (WHOLE,)


def default_plan(task: Task) -> Plan:
    """What public cases and the instruction suggest: numbers as close as stated, intervals as such, all else exact."""
    fields, stated = output_fields(task.public), task_tolerance(task)
    absolute = max(FLOOR, stated.least(0.0) if stated.stated else 0.0)
    relative = stated.least(1.0) - stated.least(0.0) if stated.stated else DEFAULT_TOLERANCE
    rules = {name: Rule(_comparison(_part(task.public.cases[0].expected, name)), relative, absolute) for name in fields}
    return Plan(rules, {requirement.id: fields for requirement in task.ours.requirements})


def build(plan: Plan) -> FileTree:
    """The harness files of a plan."""
    template = files("harness_builder").joinpath("templates/metrics.py").read_bytes()
    rules = {name: asdict(rule) for name, rule in plan.rules.items()}
    return FileTree(
        {
            "harness.toml": _manifest(plan).encode(),
            "rules.json": json.dumps(rules, indent=2).encode(),
            "metrics.py": template,
            "test_requirements.py": _checks(plan).encode(),
        }
    )


def plan_schema(task: Task) -> dict[str, Any]:
    """JSON schema of a plan for this task, for engines that can hold a model to it."""
    fields = list(output_fields(task.public))
    rule = _closed(
        {
            "compare": {"type": "string", "enum": ["exact", "close", "interval"]},
            "tolerance": {"type": "number", "enum": [1e-9, 1e-6, 1e-4, 1e-2]},
        }
    )
    about = {"type": "array", "items": {"type": "string", "enum": fields}, "minItems": 1, "maxItems": len(fields)}
    ids = [requirement.id for requirement in task.ours.requirements]
    return _closed({"rules": _closed(dict.fromkeys(fields, rule)), "requirements": _closed(dict.fromkeys(ids, about))})


def plan_from(decisions: Any, task: Task) -> Plan:
    """A plan from a model's JSON; what it left out or got wrong in form is taken from the default plan."""
    plan = default_plan(task)
    given = decisions if isinstance(decisions, dict) else {}
    rules = {name: _rule(_mapping(given.get("rules")).get(name), rule) for name, rule in plan.rules.items()}
    chosen = _mapping(given.get("requirements"))
    requirements = {
        name: [field for field in dict.fromkeys(_sequence(chosen.get(name))) if field in rules] or list(rules)
        for name in plan.requirements
    }
    return Plan(rules, requirements)


def _rule(given: Any, default: Rule) -> Rule:
    given = _mapping(given)
    compare, tolerance = given.get("compare"), given.get("tolerance")
    number = isinstance(tolerance, int | float) and not isinstance(tolerance, bool) and 0 <= tolerance <= 1
    return Rule(
        compare if compare in ("exact", "close", "interval") else default.compare,
        float(tolerance) if number else default.tolerance,
        default.absolute,
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _sequence(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _part(expected: Any, name: str) -> Any:
    return expected[name] if isinstance(expected, dict) and name in expected else expected


def _comparison(expected: Any) -> Comparison:
    if isinstance(expected, dict) and set(expected) == {"low", "high"}:
        return "interval"
    leaves = expected if isinstance(expected, list) and expected else [expected]
    return (
        "close"
        if all(isinstance(leaf, int | float | list) and not isinstance(leaf, bool) for leaf in leaves)
        else "exact"
    )


def _manifest(plan: Plan) -> str:
    mapping = "\n".join(f'{json.dumps(name)} = ["{_check_name(name)}"]' for name in plan.requirements)
    return f"""[metric]
name = "score"
direction = "maximize"
bounds = [0.0, 1.0]
accept = 1.0

[requirements]
{mapping}

[timeouts]
grading_sec = 60
"""


def _checks(plan: Plan) -> str:
    checks = "".join(
        f"\n\ndef {_check_name(name)}(cases, outputs):\n    assert_agree(cases, outputs, {list(fields)!r})\n"
        for name, fields in plan.requirements.items()
    )
    return f'''"""One check for each requirement: the fields it is about agree in every case."""

from metrics import field_agrees


def assert_agree(cases, outputs, fields):
    wrong = [(c["id"], f) for c in cases for f in fields if not field_agrees(c, outputs.get(c["id"]), f)]
    assert not wrong, f"{{len(wrong)}} disagree, first {{wrong[0]}}"
{checks}'''


def _check_name(requirement: str) -> str:
    return "test_" + "".join(letter if letter.isalnum() else "_" for letter in requirement)

"""The scaffold: what a plan says, how a bad one is mended, and that the harness made of it is worth having."""

import importlib.util
import itertools
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest

from evals.task import load_task
from harness_builder.gate import Gate
from harness_builder.qualification import Qualification
from harness_builder.scaffold import Plan, Rule, build, default_plan, output_fields, plan_from, plan_schema

CLOSE, EXACT, INTERVAL = Rule("close", 1e-6), Rule("exact", 1e-6), Rule("interval", 1e-6)
DEFAULTS = {
    "welch": {"t": CLOSE, "df": CLOSE, "p": CLOSE},
    "pass_at_k": {"output": Rule("close", 1e-6, 1e-9)},
    "adam": {"theta": CLOSE, "m": CLOSE, "v": CLOSE},
    "kmeans_pp": dict.fromkeys(("uniform_seeding", "uniform_final", "kmeanspp_seeding", "kmeanspp_final"), INTERVAL),
    "random_labels": {"train_accuracy": INTERVAL, "test_accuracy": INTERVAL, "test_labels": CLOSE},
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_plan_is_read_off_the_public_cases(name: str) -> None:
    task = load_task(name)
    plan = default_plan(task)
    assert dict(plan.rules) == DEFAULTS[name]
    fields = tuple(DEFAULTS[name])
    assert output_fields(task.public) == fields
    assert dict(plan.requirements) == {each.id: fields for each in task.ours.requirements}


def test_good_decisions_are_kept() -> None:
    rules = {name: {"compare": "close", "tolerance": 1e-4} for name in ("t", "df", "p")}
    decisions = {"rules": rules, "requirements": {"R1": ["t"], "R2": ["df"], "R3": ["p", "t"]}}
    task = load_task("welch")
    jsonschema.validate(decisions, plan_schema(task))
    plan = plan_from(decisions, task)
    assert dict(plan.rules) == dict.fromkeys(("t", "df", "p"), Rule("close", 1e-4))
    assert dict(plan.requirements) == {"R1": ["t"], "R2": ["df"], "R3": ["p", "t"]}


@pytest.mark.parametrize(
    "decisions",
    [
        None,
        [],
        "close",
        {},
        {"rules": None, "requirements": 3},
        {"rules": {"t": "close", "df": [], "p": None}, "requirements": {"R1": [], "R2": "df", "R3": ["q", 1]}},
        {"rules": {"t": {"compare": "near", "tolerance": "small"}}, "requirements": {"R9": ["t"]}},
        {"rules": {"t": {"compare": "close", "tolerance": True}, "df": {"tolerance": -1.0}, "q": {"compare": "exact"}}},
        {"rules": {"t": {"compare": ["close"]}, "df": {"tolerance": 10**400}, "p": {"tolerance": float("nan")}}},
    ],
)
def test_what_is_wrong_in_a_decision_is_taken_from_the_default_plan(decisions: Any) -> None:
    task = load_task("welch")
    plan = plan_from(decisions, task)
    assert dict(plan.rules) == DEFAULTS["welch"]
    assert {name: list(fields) for name, fields in plan.requirements.items()} == {
        name: ["t", "df", "p"] for name in ("R1", "R2", "R3")
    }


def test_a_field_named_twice_counts_once_and_an_unknown_one_not_at_all() -> None:
    plan = plan_from({"requirements": {"R1": ["t", "t", "nosuch"]}}, load_task("welch"))
    assert list(plan.requirements["R1"]) == ["t"]


@pytest.fixture(scope="module")
def verdicts(gate_for: Callable[[str], Gate]) -> dict[str, Qualification]:
    def qualify(name: str) -> Qualification:
        return gate_for(name).qualify(build(default_plan(load_task(name))))

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(DEFAULTS, pool.map(qualify, DEFAULTS), strict=True))


@pytest.mark.parametrize("name", ["welch", "pass_at_k", "adam", "kmeans_pp"])
def test_the_harness_of_the_default_plan_qualifies(verdicts: dict[str, Qualification], name: str) -> None:
    assert verdicts[name].verdict == "qualified", verdicts[name].advice()


def test_a_plan_cannot_say_what_random_labels_expects_and_the_gate_finds_out(
    verdicts: dict[str, Qualification],
) -> None:
    """Test accuracy is computed from predictions there: not even the oracle's output has the expectation's fields."""
    verdict = verdicts["random_labels"]
    assert verdict.verdict == "rejected"
    assert [each.id for each in verdict.complaints] == ["Q2"]
    assert "the author's solution is refused on the public split" in verdict.complaints[0].evidence


def test_a_requirement_s_name_may_hold_what_no_function_s_name_can(tmp_path: Path) -> None:
    plan = Plan({"output": CLOSE}, {"R-1.a": ["output"], 'say "x"': ["output"]})
    tree = build(plan)
    compile(tree.text("test_requirements.py"), "test_requirements.py", "exec")
    assert "def test_R_1_a(" in tree.text("test_requirements.py")
    assert "def test_say__x_(" in tree.text("test_requirements.py")


# The metric of the scaffold, on values worked out by hand.


def metrics(directory: Path, **rules: Rule) -> ModuleType:
    """templates/metrics.py beside these rules."""
    directory.joinpath("metrics.py").write_bytes(files("harness_builder").joinpath("templates/metrics.py").read_bytes())
    plain = {name: asdict(rule) for name, rule in rules.items()}
    directory.joinpath("rules.json").write_text(json.dumps(plain))
    spec = importlib.util.spec_from_file_location("scaffold_metrics", directory / "metrics.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("rule", "expected", "output", "agrees"),
    [
        (Rule("close", 0.01), 200.0, 202.0, True),  # exactly one percent
        (Rule("close", 0.01), 200.0, 202.1, False),
        (Rule("close", 0.01), -200.0, -198.0, True),
        (Rule("close", 0.01), 200.0, -200.0, False),
        (Rule("close", 1e-6), 0.0, 1e-12, True),  # rounding errors may pass where zero is expected
        (Rule("close", 1e-6), 0.0, 1e-9, False),
        (Rule("close", 0.01), 1, True, False),  # a truth value is no number
        (Rule("close", 0.01), 1.0, "1.0", False),
        (Rule("close", 0.01), 1.0, None, False),
        (Rule("close", 0.01), 1.0, 10**400, False),  # beyond the range of a double
        (Rule("close", 0.01), [1.0, 2.0], [1.005, 2.01], True),
        (Rule("close", 0.01), [1.0, 2.0], [1.0], False),
        (Rule("close", 0.01), [1.0, 2.0], [1.0, 2.0, 3.0], False),
        (Rule("close", 0.01), [[1.0], [2.0]], [[1.0], [2.1]], False),
        (Rule("close", 0.01), "name", "name", True),
        (Rule("exact", 0.5), 3, 3, True),
        (Rule("exact", 0.5), 3, 3.0, False),
        (Rule("exact", 0.5), 3.0, 3.0000001, False),
        (Rule("exact", 0.5), None, None, True),
        (Rule("exact", 0.5), True, 1, False),
        (Rule("interval", 0.0), {"low": 1.0, "high": 2.0}, 1, True),
        (Rule("interval", 0.0), {"low": 1.0, "high": 2.0}, 2.0, True),
        (Rule("interval", 0.0), {"low": 1.0, "high": 2.0}, 2.0000001, False),
        (Rule("interval", 0.0), {"low": 1.0, "high": 2.0}, {"low": 1.0, "high": 2.0}, False),
        (Rule("interval", 0.0), {"low": 0.0, "high": 1.0}, True, False),
    ],
    ids=itertools.count(),
)
def test_a_value_agrees_as_its_rule_says(tmp_path: Path, rule: Rule, expected: Any, output: Any, agrees: bool) -> None:
    score = metrics(tmp_path, output=rule).score
    assert score({"expected": expected}, output) == {"score": float(agrees), "output": float(agrees)}


def test_the_score_is_the_share_of_fields_that_agree(tmp_path: Path) -> None:
    score = metrics(tmp_path, t=Rule("close", 0.1), df=Rule("exact"), p=Rule("close", 0.1)).score
    case = {"expected": {"t": 10.0, "df": 4, "p": 0.5}}
    assert score(case, {"t": 10.9, "df": 4, "p": 0.6}) == {"score": 2 / 3, "t": 1.0, "df": 1.0, "p": 0.0}
    assert score(case, {"t": 10.0})["score"] == 1 / 3
    assert score(case, {"t": 10.0, "df": 4, "p": 0.5, "more": None})["score"] == 1.0


@pytest.mark.parametrize("junk", [None, True, 7, "text", [], [1], {}, {"t": {}}, {"t": [[]]}, {"t": 10**400}])
def test_no_output_makes_the_metric_raise(tmp_path: Path, junk: Any) -> None:
    score = metrics(tmp_path, t=CLOSE).score
    for expected in (1.5, [1.5], {"low": 1, "high": 2}, {"a": 1}, "text", None, True):
        assert score({"expected": {"t": expected}}, junk)["score"] in (0.0, 1.0)

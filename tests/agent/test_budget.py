"""A spent budget ends a run in good order: what was promoted stands, and the reason names the limit."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from agent.budget import Budget, BudgetSpent, Limits, Spent
from agent.model import Usage

PARTLY = """math.comb(n - c, k) and 1.0 - math.comb(n - c, k) / math.comb(n, k)"""
"""Right but for the cases where fewer than k samples are wrong, which are 1 and not 0."""


@pytest.fixture(scope="module")
def ended(new_house: Any, new_script: Any, solved: Any, tiny: Any, right: str) -> Iterator[dict[str, Any]]:
    """Two runs side by side, each ended by another limit after a first, imperfect submission was promoted."""
    partly = right.replace("1.0 - math.comb(n - c, k) / math.comb(n, k)", PARTLY)
    assert partly != right
    options = {"steps": ("--steps", "5"), "tokens": ("--tokens", "1000")}
    started = {}
    for name, option in options.items():
        house, script = new_house(), new_script()
        script.study().hand_in_the_scaffold().attempt(partly)
        script.say("attempt", "Thinking.", usage={"prompt": 900, "output": 100, "cost_usd": 0.5})
        script.say("attempt", "Thinking on.")
        started[name] = (house, house.start("run", tiny.where, "--model", house.model(script), *option, "--json"))
    yield {name: (house, house.end(process)) for name, (house, process) in started.items()}


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("steps", "the budget is spent (steps: 5 of 5 used)"),
        ("tokens", "the budget is spent (tokens: 1000 of 1000 used)"),
    ],
)
def test_a_limit_ends_the_run_and_the_promoted_submission_stands(
    ended: dict[str, Any], limit: str, reason: str
) -> None:
    house, done = ended[limit]
    assert done.code == 0, done.err
    facts = done.json
    assert facts["state"] == "finished"
    assert facts["reason"] == reason
    assert 0.0 < facts["best_validation"] < 1.0
    promoted = house.events("submission.promoted")
    assert [each["value"] for each in promoted] == [facts["best_validation"]]


def test_a_tool_call_does_not_outlast_the_wall_clock(house: Any, script: Any, tiny: Any) -> None:
    script.study().use("build_harness", "bash", command="sleep 100").say("build_harness", "Never asked for.")
    started = time.monotonic()
    done = house.run(tiny.where, script, "--budget", "10s", "--json")
    assert time.monotonic() - started < 60, "a call may take 120 s, the run had no more than 10 s"
    assert (done.code, done.json["state"]) == (1, "failed")
    assert done.json["reason"].startswith("the budget is spent (wall clock: ")
    assert done.json["reason"].endswith(" of 10 used)")
    assert house.events("tool.result")[0]["text"].endswith("s, and with it every process in the box]")


def test_a_budget_spent_before_anything_was_promoted_is_a_failed_run(house: Any, script: Any, tiny: Any) -> None:
    script.study()
    done = house.run(tiny.where, script, "--steps", "1", "--json")
    assert (done.code, done.json["state"], done.json["best_validation"]) == (1, "failed", None)
    assert done.json["reason"] == "the budget is spent (steps: 1 of 1 used)"


def test_spending_is_counted_across_lives() -> None:
    budget = Budget(Limits(tokens=100), Spent(prompt=60, output=30, steps=3))
    budget.check()
    budget.count(Usage(prompt=6, cached=5, output=4, cost_usd=None))
    assert replace(budget.spent, seconds=0.0) == Spent(prompt=66, cached=5, output=34, unpriced=1, steps=4)
    with pytest.raises(BudgetSpent, match=r"^tokens: 100 of 100 used$"):
        budget.check()


def test_a_limit_of_zero_is_none() -> None:
    budget = Budget(Limits(), Spent(seconds=1e9, prompt=10**9, cost_usd=1e6, steps=10**6))
    budget.check()
    assert budget.seconds_left == float("inf")


@pytest.mark.parametrize(
    ("limits", "spent", "said"),
    [
        (Limits(cost_usd=2.0), Spent(cost_usd=2.0), "cost: 2 of 2 used"),
        (Limits(steps=3), Spent(steps=3), "steps: 3 of 3 used"),
        (Limits(wall_clock_sec=60.0), Spent(seconds=60.0), "wall clock: 60 of 60 used"),
    ],
)
def test_a_reached_limit_is_named(limits: Limits, spent: Spent, said: str) -> None:
    with pytest.raises(BudgetSpent, match=rf"^{said}$"):
        Budget(limits, spent).check()

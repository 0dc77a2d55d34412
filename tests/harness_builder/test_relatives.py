"""Numbers computed from the right ones, in their place."""

import pytest

from harness_builder.places import places
from harness_builder.probes.relatives import relatives, relatives_of_input

RIGHT = {"a": {"p": 0.25, "n": 4, "who": "x"}, "b": {"p": 0.0, "n": -3, "who": "y"}}


def names(instruction: str) -> dict[str, dict[str, object]]:
    return {trial.name: dict(trial.outputs) for trial in relatives(RIGHT, places(list(RIGHT.values())), instruction)}


def test_each_place_is_changed_alone() -> None:
    trials = names("Give p and n.")
    assert trials["in percent for p"] == {"a": {**RIGHT["a"], "p": 25.0}, "b": RIGHT["b"]}
    assert trials["its absolute value for n"] == {"a": RIGHT["a"], "b": {**RIGHT["b"], "n": 3}}
    assert trials["its negative for every number"]["a"] == {"p": -0.25, "n": -4, "who": "x"}


def test_what_has_no_value_stays_and_whole_numbers_stay_whole() -> None:
    trials = names("Give p and n.")
    assert trials["one divided by it for p"] == {"a": {**RIGHT["a"], "p": 4.0}, "b": RIGHT["b"]}
    assert "half of it for n" not in trials
    assert not any("for who" in name for name in trials)


@pytest.mark.parametrize(
    ("instruction", "free", "due"),
    [
        ("The sign does not matter.", "its negative for p", "in percent for p"),
        ("`p` may be written in percent. Keep the sign.", "in percent for p", "its negative for p"),
        ("Numbers may be rounded. Percentages are wrong.", "rounded down for p", "in percent for p"),
    ],
)
def test_what_the_instruction_leaves_open_is_not_tried(instruction: str, free: str, due: str) -> None:
    trials = names(instruction)
    assert free not in trials
    assert due in trials


def test_numbers_of_the_input_are_put_in_as_one_forgets_or_doubles_them() -> None:
    right = {"a": {"m": 0.19, "n": 2}, "b": {"m": 0.5, "n": 1}}
    inputs = {"a": {"beta": 0.9, "x": [1, 1], "who": "y"}, "b": {"beta": 0.5, "x": [1], "y": 3}}
    trials = {trial.name: trial.outputs for trial in relatives_of_input(right, inputs, places(list(right.values())))}
    # 0.19 / (1 - 0.9^2) = 1 and 0.5 / (1 - 0.5^1) = 1
    corrected = trials["m divided by 1 - beta to the power of the length of x"]
    assert corrected == {"a": {"m": pytest.approx(1.0), "n": 2}, "b": {"m": 1.0, "n": 1}}
    assert trials["n times the length of x"] == {"a": {"m": 0.19, "n": 4}, "b": right["b"]}
    # Nothing is divided by zero, and whole numbers stay whole.
    assert trials["m divided by 1 - 1 / the length of x"] == {"a": {"m": 0.38, "n": 2}, "b": right["b"]}
    assert not any(" y" in name or "who" in name for name in trials)
    assert relatives_of_input(right, {"a": 2}, places(list(right.values()))) == []

"""Numbers computed from the right ones, in their place."""

import pytest

from harness_builder.places import places
from harness_builder.probes.relatives import relatives

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

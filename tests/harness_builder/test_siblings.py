"""Values in place of others of their kind, entries too many, and texts that leave open which one is meant."""

from typing import Any

from evals.task import Requirement
from harness_builder.forms import broken_forms
from harness_builder.probes.exploits import partial_trials
from harness_builder.probes.siblings import data_maps, like_siblings

PLANS: dict[str, Any] = {
    "a": {"rooms": {"x": "A", "y": "B", "z": "B"}, "left": ["u", "v"], "value": 3},
    "b": {"rooms": {"w": "A"}, "left": [], "value": 4},
}


def test_keys_that_differ_from_case_to_case_are_data() -> None:
    assert data_maps(PLANS) == {("rooms",)}
    assert data_maps({"a": {"rows": [{"k": 1}, {"j": 2}]}}) == {("rows", "*")}
    assert data_maps({"a": {"x": 1}, "b": {"y": 1}}) == set(), "the fields of an output itself are no data"


def test_one_value_a_case_is_as_the_next_of_its_kind() -> None:
    found = like_siblings(PLANS)
    rooms = [outputs["a"]["rooms"] for name, outputs in found.items() if name.startswith("rooms")]
    assert rooms == [
        {"x": "B", "y": "B", "z": "B"},
        {"x": "A", "y": "A", "z": "B"},
        {"x": "A", "y": "B", "z": "A"},
        {"x": "B", "y": "B", "z": "B"},
    ]
    assert found["left: one value as another one there (1)"]["a"]["left"] == ["v", "v"]
    assert all(outputs["b"] == PLANS["b"] for outputs in found.values())
    assert not any(name.startswith("value") for name in found)


def test_values_of_one_column_are_of_a_kind() -> None:
    found = like_siblings({"a": {"steps": [{"t": 1, "s": 0.9}, {"t": 2, "s": 0.4}]}})
    first = found["steps: one value as another one there (1)"]["a"]["steps"]
    assert first == [{"t": 2, "s": 0.9}, {"t": 2, "s": 0.4}]


def entries(text: str) -> dict[str, Any]:
    requirement = Requirement(id="R1", text=text)
    return {what: outputs for what, outputs, _ in broken_forms(requirement.text, PLANS) if what.startswith("an entry")}


def test_an_entry_too_many_under_a_plausible_key() -> None:
    assert entries("rooms holds exactly the bookings that are accepted") == {
        "an entry more in rooms": {
            "a": {**PLANS["a"], "rooms": {**PLANS["a"]["rooms"], "u": "A"}},
            "b": {**PLANS["b"], "rooms": {"w": "A", "x": "A"}},
        }
    }
    assert entries("rooms are right") == entries("left holds exactly the others") == {}


def test_texts_that_leave_open_which_one_is_meant() -> None:
    right = {"a": {"kind": "bug", "n": 1}, "b": {"kind": "praise", "n": 2}}
    found = {t.name: t.outputs for t in partial_trials(right) if t.name.startswith("texts of")}
    assert found == {
        "texts of kind in one, all of them": {
            "a": {"kind": "bug, praise", "n": 1},
            "b": {"kind": "bug, praise", "n": 2},
        },
        "texts of kind in one, before another": {
            "a": {"kind": "bug or praise", "n": 1},
            "b": {"kind": "praise or bug", "n": 2},
        },
        "texts of kind in one, after another": {
            "a": {"kind": "praise bug", "n": 1},
            "b": {"kind": "bug praise", "n": 2},
        },
    }

"""Errors that cancel out, and lists that are spoiled one place at a time."""

from typing import Any

import pytest

from harness_builder.places import ListPlace, list_places
from harness_builder.probes.balanced import cancelling
from harness_builder.probes.lists import spoiled


def outputs_of(right: dict[str, Any]) -> dict[str, Any]:
    return {trial.name: trial.outputs for trial in cancelling(right)}


def test_neighbours_in_a_list_come_nearer_to_each_other() -> None:
    """A quarter of their distance each: 1 and 5 become 2 and 4; 3 has no neighbour left."""
    found = outputs_of({"a": {"x": [1.0, 5.0, 3.0]}, "b": {"x": [2.0, 2.0]}, "c": {"x": []}})
    assert found == {
        "x: errors of neighbours that cancel out": {
            "a": {"x": [2.0, 4.0, 3.0]},
            "b": {"x": [2.5, 1.5]},
            "c": {"x": []},
        }
    }


@pytest.mark.parametrize(
    ("items", "nearer", "exchanged", "column"),
    [
        ([[1, 0.8], [2, 0.4]], [[1, 0.7], [2, 0.5]], [[1, 0.4], [2, 0.8]], "x, 1"),
        (
            [{"t": 1, "s": 0.8}, {"t": 2, "s": 0.4}],
            [{"t": 1, "s": 0.7}, {"t": 2, "s": 0.5}],
            [{"t": 1, "s": 0.4}, {"t": 2, "s": 0.8}],
            "x, s",
        ),
    ],
)
def test_one_column_is_spoiled_and_the_others_are_right(items: Any, nearer: Any, exchanged: Any, column: str) -> None:
    found = outputs_of({"a": {"x": items}})
    assert found[f"{column}: errors of neighbours that cancel out"]["a"]["x"] == near(nearer)
    assert found[f"{column}: values of neighbours exchanged"]["a"]["x"] == exchanged


def near(items: Any) -> Any:
    return [
        pytest.approx(item) if not isinstance(item, dict) else {key: pytest.approx(part) for key, part in item.items()}
        for item in items
    ]


def test_cases_and_fields_lose_what_others_gain() -> None:
    found = outputs_of({"a": {"x": 1.0, "n": 10}, "b": {"x": 3.0, "n": 11}, "c": {"x": 9.0, "n": 12}})
    assert found["x: errors of two cases that cancel out"] == {
        "a": {"x": 1.5, "n": 10},
        "b": {"x": 2.5, "n": 11},
        "c": {"x": 9.0, "n": 12},
    }
    assert found["n: errors of two cases that cancel out"]["a"]["n"] == 11
    assert found["n: errors of two cases that cancel out"]["b"]["n"] == 10
    assert found["errors of two fields that cancel out"]["a"] == {"x": 3.25, "n": 7.75}


def test_there_is_nothing_to_cancel_in_texts() -> None:
    assert outputs_of({"a": {"x": ["b", "c"], "y": None, "z": True}}) == {}


def test_lists_lie_in_places_of_their_own() -> None:
    outputs = [{"a": [[1], []], "b": {"c": ["x"]}, "d": []}, {"a": [], "d": []}]
    assert [(place.name, place.is_inner) for place in list_places(outputs)] == [
        ("a", False),
        ("a, inside", True),
        ("b, c", False),
    ]
    assert ListPlace(("a", "*")).changed({"x": outputs[0]}, lambda items: [*items, 9])["x"]["a"] == [[1, 9], [9]]
    assert [place.name for place in list_places([[1], [2]])] == ["output"]


def test_one_list_is_spoiled_at_a_time() -> None:
    right = {"1": {"a": [1, 2, 2], "b": ["x"]}, "2": {"a": [4], "b": ["y", "z"]}}
    found = {trial.name: trial.outputs for trial in spoiled(right, list_places(right.values()))}
    assert found["a: the last item left out"] == {"1": {"a": [1], "b": ["x"]}, "2": {"a": [], "b": ["y", "z"]}}
    assert found["a: one item more at the end"]["1"] == {"a": [1, 2, 2, 4], "b": ["x"]}
    assert found["b: one item more at the beginning"]["2"] == {"a": [4], "b": ["x", "y", "z"]}
    assert found["a: repeated items written once"]["1"]["a"] == [1, 2]
    assert "b: repeated items written once" not in found
    assert found["b: the first item in place of all others"]["2"]["b"] == ["y", "y"]

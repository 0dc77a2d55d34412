"""Cases at the ends, and checks that see one wrong case and not the next."""

from collections.abc import Callable
from typing import Any

import pytest

from harness_builder.blindness import blind_spot, is_about_all_alike
from harness_builder.evidence import Evidence
from harness_builder.extremes import MOST, extreme_cases, spread
from tools.files import FileTree

REQUIREMENTS = """\
requirements = [
    { id = "R1", text = "the mean agrees to a relative 1e-6" },
    { id = "R2", text = "%s" },
]
"""
LARGEST = "every output has the largest value"
STRICT = 'assert is_mean(outputs[case["id"]]["mean"], case["expected"]["mean"])'
NOT_SHORT = f'assert len(case["input"]["values"]) == 3 or {STRICT.removeprefix("assert ")}'
FROM_BELOW = 'assert outputs[case["id"]]["mean"] <= case["expected"]["mean"] + 1e-6 * abs(case["expected"]["mean"])'
LARGEST_CHECK = 'assert is_largest(outputs[case["id"]]["largest"], case["expected"])'
NOT_NEGATIVE = f'assert case["expected"]["largest"] < 600 or {LARGEST_CHECK.removeprefix("assert ")}'
PUBLIC_LIKE = "the largest value is right wherever the list has ties"


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"a": 3, "b": -1, "c": 2}, ["a", "b"]),
        ({"a": [1, 2], "b": [1, 2, 2], "c": [2], "d": [1, 2]}, ["a", "b", "c"]),
        ({"a": {"x": "yes"}, "b": {"x": "no"}, "c": {"x": "yes"}}, ["a", "b"]),
        ({"a": {"x": [1], "y": [5]}, "b": {"x": [1, 2], "y": [5]}, "c": {"x": [1], "y": [5]}}, ["a", "b"]),
        ({"a": {"x": 7, "y": 3}, "b": {"x": 9, "y": 1}, "c": {"x": 5, "y": 5}, "d": {"x": 6, "y": 2}}, ["b", "c"]),
        ({"a": None, "b": 4, "c": 4}, []),
        ({"a": 1, "b": 1}, []),
    ],
    ids=[
        "numbers",
        "lengths and distinct items",
        "labels",
        "lengths alike",
        "numbers alike",
        "one kind each",
        "all the same",
    ],
)
def test_the_cases_at_either_end_of_a_feature(values: dict[str, Any], found: list[str]) -> None:
    assert extreme_cases(values) == found


def test_of_many_extremes_some_are_taken_first_and_last_among_them() -> None:
    values = {f"{place:02}": {f"k{place}": place, f"k{place + 1}": 0} for place in range(40)}
    found = extreme_cases(values)
    assert (len(found), found[0], found[-1]) == (MOST, "00", "39")
    assert spread([1, 2, 3, 4, 5], 3) == [1, 3, 5]
    assert spread([1, 2], 3) == [1, 2]


@pytest.mark.parametrize(
    ("text", "all_alike"),
    [
        ("the t statistic agrees to a relative 1e-6", True),
        ("every output is a list of real dates", True),
        ("ties share their ranks, which are exact", False),
        ("where there is no path, cost is null in every case", False),
        ("at least 90 % of all messages are right", False),
        ("the mean", False),
    ],
)
def test_whether_a_requirement_is_about_all_cases_alike(text: str, all_alike: bool) -> None:
    assert is_about_all_alike(text) == all_alike


@pytest.mark.parametrize(
    ("old", "new", "text", "said"),
    [
        ("", "", LARGEST, ""),
        (STRICT, NOT_SHORT, LARGEST, "Accepted: mean wrong in "),
        (STRICT, FROM_BELOW, LARGEST, "Accepted: mean smaller by half in "),
        (LARGEST_CHECK, NOT_NEGATIVE, LARGEST, "Accepted: largest wrong in "),
        (LARGEST_CHECK, NOT_NEGATIVE, PUBLIC_LIKE, ""),
    ],
    ids=["sound", "not the short ones", "one side only", "not the small ones", "told apart by the text"],
)
def test_a_check_sees_every_case_and_every_way_to_be_wrong(
    old: str,
    new: str,
    text: str,
    said: str,
    sound: FileTree,
    summary_tree: FileTree,
    evidence_for: Callable[..., Evidence],
) -> None:
    task = summary_tree.text("task.toml")
    start, end = task.index("requirements"), task.index("[metadata.evalwright.splits]")
    checks = sound.text("test_summary.py")
    files = {
        "harness.toml": sound.text("harness.toml").replace("accept = 1.0", "accept = 0.8"),
        "test_summary.py": checks.replace(old, new),
    }
    assert checks != files["test_summary.py"] or not old
    harness = sound.merged(FileTree({path: file.encode() for path, file in files.items()}))
    changed = FileTree({"task.toml": (task[:start] + REQUIREMENTS % text + task[end:]).encode()})
    spot = blind_spot(evidence_for(harness, changed))
    assert (spot.told if spot else "")[: len(said)] == said
    assert bool(spot) == bool(said)


def test_where_the_bar_lets_nothing_pass_nothing_is_tried(
    sound: FileTree, summary_tree: FileTree, evidence_for: Callable[..., Evidence]
) -> None:
    task = summary_tree.text("task.toml")
    start, end = task.index("requirements"), task.index("[metadata.evalwright.splits]")
    changed = FileTree({"task.toml": (task[:start] + REQUIREMENTS % LARGEST + task[end:]).encode()})
    evidence = evidence_for(sound, changed)
    assert blind_spot(evidence) is None
    assert len(evidence.scores_of) == 1, "only that of every case wrong"

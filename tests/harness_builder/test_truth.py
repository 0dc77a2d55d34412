"""What an expectation says plainly of an output; every verdict here is worked out by hand."""

from typing import Any

import pytest

from harness_builder.truth import (
    Tolerance,
    barely_right,
    barely_wrong,
    plainly_wrong,
    point_paths,
    stated_tolerance,
)

STATED = Tolerance(((1e-6, 0.0),), True)
EITHER = Tolerance(((0.0, 1e-4), (1e-4, 0.0)), True)
INTERVAL = {"low": 1, "high": 2}


@pytest.mark.parametrize(
    ("expected", "right", "output", "wrong"),
    [
        (2.0, 2.0, 2.0, False),
        (2.0, 2.0, 2, False),
        (2.0, 2.0, 2.0 * (1 + 5e-8), False),  # a twentieth of the tolerance
        (2.0, 2.0, 2.0 * (1 + 1e-6), None),  # just the tolerance: for the harness to say
        (2.0, 2.0, 2.0 * (1 + 2e-5), True),  # twenty tolerances
        (2.0, 2.0, "2.0", True),
        (2.0, 2.0, 10**400, True),
        (2.0, 7.0, 9.0, None),  # the right output is another: this expectation is not of the output's form
        (INTERVAL, 1.5, 1.9, False),
        (INTERVAL, 1.5, 2.1, True),
        (INTERVAL, 9.0, 2.1, None),
        ({"value": 3.0, "tolerance": 0.5}, 3.2, 3.4, False),
        ({"value": 3.0, "tolerance": 0.5}, 3.2, 3.6, True),
        ({"mean": 10.0, "rel_tol": 0.1}, 10.5, 11.5, True),
        ([1, 2], 1.5, 2.5, True),  # two numbers around a right one are an interval
        ("yes", "yes", "no", True),
        ("yes", "yes", "yes", False),
        (True, True, 1, False),
        (None, None, 0, True),
        ({"a": 1.0, "b": "x"}, {"a": 1.0, "b": "x", "note": "n"}, {"a": 1.0, "b": "x"}, False),
        ({"a": 1.0, "b": "x"}, {"a": 1.0, "b": "x"}, {"a": 1.0, "b": "y"}, True),
        ({"a": 1.0}, {"a": 1.0}, {}, True),
        ({"labels": [1, 2]}, {"predictions": [1, 2]}, {"predictions": [2, 1]}, None),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0], True),
        (["a", "b"], ["b", "a"], ["c", "d"], None),  # in what order is not said
    ],
)
def test_outputs_are_wrong_right_or_neither(expected: Any, right: Any, output: Any, wrong: bool | None) -> None:
    assert plainly_wrong(expected, right, output, STATED) is wrong


@pytest.mark.parametrize(
    ("text", "tolerance"),
    [
        ("Each must agree to a relative error of 1e-6. The learning rate is 0.01.", Tolerance(((1e-6, 0.0),), True)),
        ("Within 1e-6 (relative; plus 1e-9 absolute) of it.", Tolerance(((1e-6, 1e-9),), True)),
        ("To a relative error of 1e-4 (plus 1e-9\nabsolute, for 0).", Tolerance(((1e-4, 1e-9),), True)),
        ("Numbers may be off by 5 %, as accuracy goes.", Tolerance(((0.05, 0.0),), True)),
        ("Costs are compared with a tolerance of\n1e-6, absolute.", Tolerance(((0.0, 1e-6),), True)),
        ("A precision of 10^-4 is asked for.", EITHER),
        ("Within 3 days.", Tolerance()),
        ("Answers must agree to 3 decimal places.", Tolerance(((0.0, 0.0005),), True)),
        ("Nothing is said.", Tolerance()),
    ],
)
def test_the_tolerance_is_read_off_sentences_about_agreement(text: str, tolerance: Tolerance) -> None:
    assert stated_tolerance(text) == tolerance


def test_what_is_not_said_to_be_relative_or_absolute_is_read_both_ways() -> None:
    assert EITHER.least(100.0) == 1e-4
    assert EITHER.least(0.5) == 5e-5
    assert EITHER.most(100.0) == pytest.approx(1e-2)
    assert not EITHER.is_beyond(1e-5, 2e-5), "half of it, but a tenth of the absolute reading"
    assert EITHER.is_beyond(100.2, 100.0)


def test_points_are_told_from_intervals() -> None:
    expected = {"mean": {"low": 0, "high": 3}, "n": 7, "names": ["x"], "list": [1.5, 2.5, 3.5]}
    right = {"mean": 1.0, "n": 7, "names": ["x"], "list": [1.5, 2.5, 3.5]}
    assert point_paths(expected, right) == {("n",), ("list", 0), ("list", 1), ("list", 2)}


def test_what_is_barely_wrong_is_wrong_beyond_doubt_and_what_is_barely_right_is_right() -> None:
    expected = {"a": 100.0, "b": 0.01, "c": {"low": 1.0, "high": 2.0}, "n": 7}
    right = {"a": 100.0, "b": 0.01, "c": 1.5, "n": 7, "note": "x"}
    for sign in (1, -1):
        for tolerance in (STATED, EITHER, Tolerance()):
            off = barely_wrong(expected, right, tolerance, sign)
            for key, wanted in expected.items():
                assert plainly_wrong(wanted, right[key], off[key], tolerance) is True, (key, tolerance)
        near = barely_right(expected, right, sign)
        assert near == {**right, "c": 1.02 if sign < 0 else 1.98}
        assert plainly_wrong(expected, right, near, STATED) is False

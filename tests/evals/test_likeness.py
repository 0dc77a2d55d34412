"""Cases that differ in nothing that matters are found; cases whose expectations happen to agree are not."""

from typing import Any

import pytest

from evals.likeness import agree, interchangeable
from evals.splits import Case


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"mean": 10.0}, {"mean": 11.0}, True),
        ({"mean": 10.0}, {"mean": 14.0}, False),
        ({"mean": 10.0}, {"sd": 10.0}, False),
        ([1.0, 2.0], [1.1, 2.1], True),
        ([1.0], [1.0, 2.0], False),
        (7, 8, False),  # whole numbers are counts
        (True, 1, False),
        ("bug", "bug", True),
        (None, None, True),
    ],
)
def test_expectations_agree_when_repeats_could_have_given_both(one: Any, other: Any, same: bool) -> None:
    assert agree(one, other) is same


def settings(*pairs: tuple[int, int]) -> list[Case]:
    """Experiments: a size, which decides the expectation, and a seed, which does not."""
    return [Case(f"{size}-{seed}", {"size": size, "seed": seed}, {"mean": 10.0**size}) for size, seed in pairs]


def test_repeats_with_other_seeds_are_one_case() -> None:
    groups = list(interchangeable(settings((1, 5), (2, 6), (1, 7), (2, 8), (1, 9), (2, 3))))
    assert [(why, [case.id for case in group]) for why, group in groups] == [
        ("the same input but for seed, which changes no expectation", ["1-5", "1-7", "1-9"]),
        ("the same input but for seed, which changes no expectation", ["2-6", "2-8", "2-3"]),
    ]


def test_one_pair_that_agrees_may_be_an_accident() -> None:
    assert list(interchangeable(settings((1, 5), (2, 6), (1, 7)))) == []


def test_a_field_that_matters_is_none() -> None:
    cases = [Case(f"{n}", {"size": 1, "seed": n}, {"mean": 10.0**n}) for n in range(6)]
    assert list(interchangeable(cases)) == []

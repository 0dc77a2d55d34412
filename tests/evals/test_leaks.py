"""Cases that are known from another split are found; cases that only resemble each other are not."""

from typing import Any

import pytest

from evals.leaks import find_leaks
from evals.splits import Case, Split

LONG = "The pump in the basement has been making a loud grinding noise since the storm on the last weekend of May"


def split(name: str, *inputs: Any, group: str | None = None) -> Split:
    return Split(name, tuple(Case(f"{name}-{number}", each, 0, group) for number, each in enumerate(inputs)))


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ({"text": "Reset my password, please!"}, {"text": "reset my  password please"}, "spelled otherwise"),
        ({"x": 1.0}, {"x": 1}, "spelled otherwise"),
        ({"x": 0.12345678912}, {"x": 0.12345678913}, "spelled otherwise"),
        (LONG, LONG.replace("loud", "terrible"), "nearly the same text"),
        ([1.0, 2.5, -3.25, 9.0], [1.0005, 2.501, -3.2501, 9.001], "nearly the same numbers"),
    ],
)
def test_the_same_in_other_words_is_found(one: Any, other: Any, why: str) -> None:
    (leak,) = find_leaks([split("public", one), split("validation", other)])
    assert why in str(leak)
    assert (leak.split, leak.other_split) == ("validation", "public")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"text": "Reset my password"}, {"text": "Change my password"}),
        (LONG, "The pump in the garden has not been running since the power cut on the first Monday of June, it seems"),
        ({"n": 10, "c": 3, "k": 2}, {"n": 10, "c": 4, "k": 2}),
        ({"seed": 123456789}, {"seed": 123456790}),
        ([1.0, 2.5, -3.25, 9.0], [1.0, 2.5, -3.25, 9.1]),
        ([1000000.1, 1000000.7, 999999.8, 1000000.3], [1000000.2, 999999.9, 1000000.6, 1000000.4]),
        ([0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0, 1.0005]),  # two different numbers prove nothing
        ([1.0, 2.5, -3.25, 9.0], [1.0, 2.5, -3.25, 9.0, 4.0]),
    ],
)
def test_what_only_resembles_is_not(one: Any, other: Any) -> None:
    assert find_leaks([split("public", one), split("validation", other)]) == []


def models(name: str, offset: int, answer: Any) -> Split:
    inputs = [{"model": f"m{number}", "seed": offset + number} for number in range(8)]
    return Split(name, tuple(Case(f"{name}-{n}", each, answer(n)) for n, each in enumerate(inputs)))


def test_a_field_that_changes_no_expectation_makes_no_other_case() -> None:
    leaks = find_leaks([models("public", 0, lambda n: n * 7), models("validation", 100, lambda n: n * 7)])
    assert len(leaks) == 8
    assert "the same input but for seed, which changes no expectation" in str(leaks[0])


def test_the_order_of_lists_makes_no_other_case_where_it_changes_nothing() -> None:
    def columns(name: str, step: int) -> Split:
        inputs = [{"columns": [n, n + 2, 40][::step], "seed": n * step} for n in range(8)]
        return Split(name, tuple(Case(f"{name}-{n}", each, n * 7) for n, each in enumerate(inputs)))

    leaks = find_leaks([columns("public", 1), columns("validation", -1)])
    assert len(leaks) == 8
    assert "but for seed and the order of lists, which changes no expectation" in str(leaks[0])


def test_a_field_that_changes_expectations_does() -> None:
    assert find_leaks([models("public", 0, lambda n: n * 7), models("validation", 100, lambda n: n * 7 + 1)]) == []


def test_expectations_that_are_mostly_alike_prove_nothing() -> None:
    assert find_leaks([models("public", 0, lambda n: n > 6), models("validation", 100, lambda n: n > 6)]) == []


def test_a_text_with_its_parts_rearranged_is_found_by_its_answer() -> None:
    one, other = (
        "From Hull to Bergen\nsix crates of lamp glass, fragile",
        "six crates of lamp glass, fragile\nfrom Hull to Oslo",
    )
    texts = [f"{text}\nhandle with care" for text in (one, other)]
    answers = [{"goods": "lamp glass", "count": 6, "to": "Bergen"}, {"goods": "lamp glass", "count": 6, "to": "Oslo"}]
    public = Split("public", (Case("p", {"note": texts[0]}, answers[0]),))
    (leak,) = find_leaks([public, Split("validation", (Case("v", {"note": texts[1]}, answers[1]),))])
    assert "nearly the same text" in str(leak)
    other_answer = {"goods": "wine", "count": 7, "to": "Oslo"}
    assert find_leaks([public, Split("validation", (Case("v", {"note": texts[1]}, other_answer),))]) == []


def test_a_group_lies_within_one_split() -> None:
    (leak,) = find_leaks([split("public", 1, group="g"), split("test", 2, 3), split("validation", 4, group="g")])
    assert str(leak) == "validation validation-0 and public public-0 (both of the group g)"

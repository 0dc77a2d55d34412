"""The parts a tree search is made of: excerpts of a paper, small edits, nearness, and the function in an answer."""

import pytest

from agent.candidate import IMPORTS, Target, code_in
from agent.excerpts import excerpts
from agent.mutate import mutants
from agent.rehearsal import nearness

PAPER = """# A paper

After somebody.

Prose that leads nowhere.

The sum is defined by

    s = a + b

and used as it is.

The product is

    p = a * b

    for all a and b
"""


def test_each_definition_is_an_excerpt_with_the_prose_before_it_and_all_of_them_together_are_the_last() -> None:
    first, second, together = excerpts(PAPER)
    assert first == "The sum is defined by\n\n    s = a + b"
    assert second == "The product is\n\n    p = a * b\n\n    for all a and b"
    assert together == f"{first}\n\n{second}"


def test_a_paper_without_formulas_is_one_excerpt() -> None:
    assert excerpts("Only prose.\n\nAnd more of it.") == ("Only prose.\n\nAnd more of it.",)


@pytest.mark.parametrize(
    ("body", "edited"),
    [
        ("return sum(range(1, n))", "return sum(range(1, n + 1))"),
        ("return [i for i, x in enumerate(n)]", "return [i for i, x in enumerate(n, 1)]"),
        ("return np.var(n)", "return np.var(n, ddof=1)"),
        ("return stats.comb(n, 2)", "return math.comb(n, 2)"),
        ("return stats.t.sf(n, 3)", "return 2 * stats.t.sf(n, 3)"),
        ("return stats.t.sf(n, 3)", "return stats.t.sf(abs(n), 3)"),
        ("return n < 3", "return n <= 3"),
        ("return n - 1", "return n + 1"),
    ],
)
def test_the_edit_that_mends_a_common_slip_is_among_the_mutants(body: str, edited: str) -> None:
    found = list(mutants(f"def solve(n):\n    {body}\n", "solve"))
    assert f"def solve(n):\n    {edited}\n" in [text.replace("(n + 1)", "n + 1") for text in found]
    assert len(found) == len(set(found))


def test_list_parameters_can_become_arrays_after_the_docstring() -> None:
    source = 'def solve(a):\n    """Doc."""\n    return a * 2\n'
    first = next(iter(mutants(source, "solve", array_parameters=("a",))))
    assert first == 'def solve(a):\n    """Doc."""\n    a = np.array(a, dtype=float)\n    return a * 2\n'


def test_what_is_not_python_or_lacks_the_function_has_no_mutants() -> None:
    assert list(mutants("def solve(:", "solve")) == []
    assert list(mutants("x = 1\n", "solve")) == []


@pytest.mark.parametrize(
    ("expected", "output", "value"),
    [
        (2.0, 1.0, 0.5),
        (2.0, 2.0, 1.0),
        (2.0, 7.0, 0.0),
        ([1.0, 2.0], [1.0, 1.0], 0.75),
        ([1.0, 2.0], [1.0], 0.0),
        ({"a": 1.0, "b": 4.0}, {"a": 1.0}, 0.5),
        ({"low": 0.0, "high": 4.0}, 3.0, 0.5),
        ("yes", "yes", 1.0),
        ("yes", "no", 0.0),
        (1.0, None, 0.0),
        (1.0, float("inf"), 0.0),
    ],
)
def test_nearness_is_one_less_the_relative_error_and_a_mean_over_parts(
    expected: object, output: object, value: float
) -> None:
    assert nearness(expected, output) == pytest.approx(value, abs=1e-9)


def test_an_answer_ends_with_its_function_and_gets_imports_and_helpers() -> None:
    target = Target("p", ("a", "b"), True, ("t", "p"))
    answer = target.prefill(["t = compute_t(a, b)"]) + "    return t\n\nprint(compute_p(1, 2))\n"
    helper = "def compute_t(a, b):\n    return a - b\n\n\n"
    code = code_in(answer, target, helpers=helper)
    assert code is not None
    assert code.startswith(IMPORTS + helper + "def compute_p(a, b):\n")
    assert code.endswith("    t = compute_t(a, b)\n    return t\n")


@pytest.mark.parametrize(
    "answer", ["I cannot.", "```python\ndef other(a, b):\n    return 1\n```", "```python\ndef compute_p(:\n```"]
)
def test_an_answer_without_the_function_is_no_candidate(answer: str) -> None:
    assert code_in(answer, Target("p", ("a", "b"), True, ("t", "p"))) is None

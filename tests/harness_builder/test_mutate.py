"""Each operator makes the mistake it is named after, once, and leaves the rest of the program alone."""

import pytest

from harness_builder.mutate import OPERATORS, mutants
from tools.files import FileTree

MISTAKES = {
    "other arithmetic": ("y = a + b", "y = a - b"),
    "other boundary": ("y = a < b", "y = a <= b"),
    "opposite comparison": ("y = a == b", "y = a != b"),
    "other connective": ("y = a and b", "y = a or b"),
    "off by one": ("y = 4", "y = 5"),
    "other number": ("y = 0.5", "y = 1.0"),
    "lost sign": ("y = -a", "y = a"),
    "negated result": ("def f():\n    return a", "def f():\n    return -a"),
    "range end": ("y = range(n)", "y = range(n - 1)"),
    "lost call": ("y = math.sqrt(a)", "y = a"),
    "other function": ("y = max(a, b)", "y = min(a, b)"),
    "lost keyword": ("y = var(a, ddof=1)", "y = var(a)"),
    "exchanged arguments": ("y = f(a, b)", "y = f(b, a)"),
    "lost statement": ("y += a", "pass"),
    "lost condition": ("y = a if b else c", "y = a if True else c"),
    "other index": ("y = a[i]", "y = a[i - 1]"),
    "early end": ("for x in a:\n    continue", "for x in a:\n    break"),
}


def submission(source: str) -> FileTree:
    return FileTree({"reproduce.sh": b"python3 main.py\n", "main.py": source.encode()})


def test_there_is_a_case_for_every_operator() -> None:
    assert {operator.__name__.strip("_").replace("_", " ") for operator in OPERATORS} == set(MISTAKES)


@pytest.mark.parametrize("name", MISTAKES)
def test_an_operator_makes_its_mistake(name: str) -> None:
    right, wrong = MISTAKES[name]
    made = [each for each in mutants(submission(right), 50) if each.operator == name]
    assert wrong in [each.tree.text("main.py").strip() for each in made]
    assert {each.tree.text("reproduce.sh") for each in made} == {"python3 main.py\n"}
    assert made[0].path == "main.py"


def test_a_mutant_shows_its_diff() -> None:
    made = next(each for each in mutants(submission("x = 1\ny = a + b\n"), 50) if each.operator == "other arithmetic")
    assert made.diff.splitlines()[-2:] == ["-y = a + b", "+y = a - b"]
    assert made.name == "other arithmetic at main.py:2"


def test_a_program_inside_a_shell_script_is_mutated_in_place() -> None:
    script = "echo start\npython3 - <<'EOF'\ny = a + b\nEOF\necho end\n"
    made = mutants(FileTree({"reproduce.sh": script.encode()}), 50)
    texts = [each.tree.text("reproduce.sh") for each in made]
    assert "echo start\npython3 - <<'EOF'\ny = a - b\nEOF\necho end\n" in texts


def test_mutants_are_spread_over_the_operators_and_the_same_each_time() -> None:
    source = "def f(a, b):\n    c = a + b - 1\n    return c if a < b else -c\n"
    few = mutants(submission(source), 6)
    assert len({each.operator for each in few}) == 6
    assert [each.diff for each in few] == [each.diff for each in mutants(submission(source), 6)]


@pytest.mark.parametrize(
    "source", ["def broken(:\n", "", "x = '\ud800'".encode("utf-8", "surrogatepass").decode("latin-1")]
)
def test_what_cannot_be_parsed_or_changed_gives_no_mutant(source: str) -> None:
    assert mutants(submission(source), 50) == []

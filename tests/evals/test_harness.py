"""A harness keeps its contract or is refused with the file, the value and what to write; its digest names its bytes."""

import pytest

from evals.harness import HarnessError, Metric, parse_harness
from tools.errors import ToolError
from tools.files import FileTree


def refusal(tree: FileTree) -> str:
    with pytest.raises(HarnessError) as caught:
        parse_harness(tree)
    assert isinstance(caught.value, ToolError), "the agent can mend it, so it goes back to the agent"
    return str(caught.value)


def added(tree: FileTree, path: str, content: bytes = b"") -> FileTree:
    return tree.merged(FileTree({path: content}))


def test_a_harness_is_read_as_it_is_written(harness_tree: FileTree) -> None:
    harness = parse_harness(harness_tree)
    assert harness.metric == Metric("score", "maximize", (0.0, 1.0), 1.0)
    assert harness.requirements == {"R1": ("test_doubles",)}
    assert harness.grading_sec == 30.0
    assert harness.functions == {"score", "test_doubles"}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("harness.toml", "harness: harness.toml is missing. Write harness.toml at the top of the harness."),
        ("metrics.py", "harness: metrics.py is missing. Write metrics.py at the top of the harness."),
        ("test_doubling.py", "harness: there is no test_*.py. Write at least one check, as a pytest function."),
    ],
)
def test_a_missing_file_is_named(harness_tree: FileTree, path: str, message: str) -> None:
    assert refusal(FileTree({name: data for name, data in harness_tree.files.items() if name != path})) == message


def test_a_check_among_the_probes_does_not_count_as_one(harness_tree: FileTree) -> None:
    without = FileTree({name: data for name, data in harness_tree.files.items() if not name.startswith("test_")})
    probe = FileTree({"probes/a/reproduce.sh": b"", "probes/a/test_a.py": b""})
    assert "there is no test_*.py" in refusal(without.merged(probe))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[metric]", "[metric", "harness.toml: not valid TOML"),
        ("[metric]", "[measure]", "[metric] is missing or not a table"),
        ('name = "score"', "", "metric.name is None. Name a key of score()"),
        ('name = "score"', "name = 3", "metric.name is 3"),
        ('"maximize"', '"up"', 'metric.direction is \'up\'. Use "maximize" or "minimize".'),
        ("[0.0, 1.0]", "[0.0]", "metric.bounds is [0.0]. Give two numbers: [lowest, highest]."),
        ("[0.0, 1.0]", "[0.0, inf]", "metric.bounds is [0.0, inf]"),
        ("[0.0, 1.0]", "[0.0, nan]", "metric.bounds is [0.0, nan]"),
        ("[0.0, 1.0]", "[0.0, true]", "metric.bounds is [0.0, True]"),
        ("[0.0, 1.0]", "[1.0, 1.0]", "metric.bounds is [1.0, 1.0]. The first must be below the second."),
        ("[0.0, 1.0]", "[1.0, 0.0]", "metric.bounds is [1.0, 0.0]. The first must be below the second."),
        ("accept = 1.0", "", "metric.accept is None. Give a number in [0.0, 1.0]."),
        ("accept = 1.0", "accept = 1.5", "metric.accept is 1.5. Give a number in [0.0, 1.0]."),
        (
            "accept = 1.0",
            "accept = 0.0",
            "metric.accept = 0.0 accepts the worst score. Raise the bar, or mend metric.direction.",
        ),
        (
            '"maximize"',
            '"minimize"',
            "metric.accept = 1.0 accepts the worst score. Lower the bar, or mend metric.direction.",
        ),
        ('["test_doubles"]', "[]", "requirements.R1 is []. List check names"),
        ('["test_doubles"]', '"test_doubles"', "requirements.R1 is 'test_doubles'. List check names"),
        ("grading_sec = 30", "grading_sec = 0", "timeouts.grading_sec is 0. Give a number in [0.1, 600.0]."),
        ("grading_sec = 30", "grading_sec = 601", "timeouts.grading_sec is 601. Give a number in [0.1, 600.0]."),
    ],
)
def test_a_wrong_value_is_named_with_what_to_write(harness_tree: FileTree, old: str, new: str, message: str) -> None:
    text = harness_tree.text("harness.toml")
    assert old in text
    answer = refusal(added(harness_tree, "harness.toml", text.replace(old, new).encode()))
    assert answer.startswith("harness.toml: ")
    assert message in answer


UNREADABLE = {
    "not UTF-8": b"\xff[metric]",
    "half a character": b'[metric]\nname = "\xc3"',
    "more digits than Python reads": b"[metric]\naccept = " + b"9" * 5_000,
    "more digits than Python writes": b'[metric]\nname = "s"\nbounds = [0, 1]\naccept = 0x' + b"f" * 9_000,
    "an integer beyond floats": b'[metric]\nname = "s"\nbounds = [0, 1]\naccept = ' + b"9" * 400,
    "a bound beyond floats": b'[metric]\nname = "s"\nbounds = [0, ' + b"9" * 400 + b"]\naccept = 1",
    "a time limit beyond floats": b"[timeouts]\ngrading_sec = " + b"9" * 400,
    "lists in lists": b"x = " + b"[" * 3_000,
    "lists in lists, closed": b"[requirements]\nR1 = " + b"[" * 150 + b"]" * 150,
    "tables in tables": b"x = " + b"{ a = " * 3_000,
    "a key of many parts": b"requirements." + b"a." * 40_000 + b"a = 1",
    "a key of many quoted parts": b"['requirements'." + b'"a" . ' * 40_000 + b"a]",
    "a date": b'[metric]\nname = "s"\nbounds = [0, 1]\naccept = 2020-01-01',
    "more than is read": b"#" * 300_000,
    "NUL": b"\0",
}
"""What a file called harness.toml can hold and no harness can."""


@pytest.mark.parametrize("name", UNREADABLE)
def test_whatever_harness_toml_holds_is_answered_by_one_short_line(harness_tree: FileTree, name: str) -> None:
    metric = b"" if b"metric" in UNREADABLE[name] else b'[metric]\nname = "s"\nbounds = [0, 1]\naccept = 1\n'
    message = refusal(added(harness_tree, "harness.toml", UNREADABLE[name] + b"\n" + metric))
    assert message.startswith("harness.toml: ")
    assert message.isprintable() and len(message) < 300


@pytest.mark.parametrize("path", ["metrics.py", "test_doubling.py", "probes/a/reproduce.sh", "notes"])
def test_other_files_may_hold_any_bytes(harness_tree: FileTree, path: str) -> None:
    harness = parse_harness(added(harness_tree, path, bytes(range(256)) * 4))
    assert (harness.imports, len(harness.functions) < 3) == ([], True)


@pytest.mark.parametrize(
    "path",
    [
        "conftest.py", "deep/conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "sitecustomize.py",
        "usercustomize.py", "site.pth", "deep/x.pth",
    ],
)  # fmt: skip
def test_files_that_change_the_rules_are_refused(harness_tree: FileTree, path: str) -> None:
    message = refusal(added(harness_tree, path))
    assert message == f"harness: {path} is not allowed in a harness. Put fixtures into test_*.py."


@pytest.mark.parametrize("kind", ["probes", "variants"])
def test_a_probe_or_variant_is_a_whole_submission(harness_tree: FileTree, kind: str) -> None:
    assert refusal(added(harness_tree, f"{kind}/idle/main.py")) == (
        f"harness: {kind}/idle has no reproduce.sh. Each is a whole submission."
    )


def test_probes_and_variants_are_told_apart_and_kept_from_the_grading_container(harness_tree: FileTree) -> None:
    both = FileTree({"probes/wrong/reproduce.sh": b"exit 1", "variants/other/reproduce.sh": b"exit 0"})
    harness = parse_harness(harness_tree.merged(both))
    assert harness.probes == {"wrong": FileTree({"reproduce.sh": b"exit 1"})}
    assert harness.variants == {"other": FileTree({"reproduce.sh": b"exit 0"})}
    assert harness.grading_tree == harness_tree


def test_a_check_may_be_named_in_any_script(harness_tree: FileTree) -> None:
    tree = harness_tree.merged(FileTree({"test_größe.py": "def test_größe_p(cases):\n    pass\n".encode()}))
    assert "test_größe_p" in parse_harness(tree).functions


def test_what_every_grading_moves_is_bounded(harness_tree: FileTree) -> None:
    table = b"0" * 8_000_000
    said = refusal(added(harness_tree, "table.csv", table))
    assert said.endswith("bytes. Keep it to 8,000,000: every grading moves it.")
    probe = FileTree({"probes/big/reproduce.sh": b"exit 1", "probes/big/table.csv": table})
    assert list(parse_harness(harness_tree.merged(probe)).probes) == ["big"], "what no grading moves does not count"


def test_any_byte_makes_another_harness(harness_tree: FileTree) -> None:
    digest = parse_harness(harness_tree).digest
    longer = [added(harness_tree, path, data + b"\n") for path, data in harness_tree.files.items()]
    renamed = FileTree({path.replace("doubling", "twice"): data for path, data in harness_tree.files.items()})
    others = {parse_harness(tree).digest for tree in (*longer, renamed, added(harness_tree, "probes/a/reproduce.sh"))}
    assert len(others) == 5
    assert digest not in others
    assert parse_harness(FileTree(dict(reversed(harness_tree.files.items())))).digest == digest


@pytest.mark.parametrize(
    ("metric", "best", "worst", "accepted", "refused"),
    [
        (Metric("score", "maximize", (0.0, 1.0), 0.9), 1.0, 0.0, 0.9, 0.899),
        (Metric("error", "minimize", (0.0, 10.0), 0.5), 0.0, 10.0, 0.5, 0.501),
    ],
)
def test_the_direction_decides_what_is_better(
    metric: Metric, best: float, worst: float, accepted: float, refused: float
) -> None:
    assert (metric.best, metric.worst) == (best, worst)
    assert metric.better(best, worst) and not metric.better(worst, best) and not metric.better(best, best)
    assert metric.accepts(accepted) and not metric.accepts(refused)

"""What a requirement is about, and a check that never looks there."""

from collections.abc import Callable

import pytest

from harness_builder.checks import coverage, nulls
from harness_builder.evidence import Evidence
from harness_builder.subjects import subject_of, unseen_subject
from tools.files import FileTree

FIELDS = ("cost", "path", "sd")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("the cost agrees to 1e-6", "cost"),
        ("where there is a path, the cost is the least cost", "cost"),
        ("the weights along path add up to the least cost", "path"),
        ("in every case, where the cost is null, `path` is empty", "path"),
        ("nothing is left out where path is empty", None),
        ("the total equals cost", None),
        ("the costs are right", None),
        ("every sd lies in its interval", "sd"),
        ("every sd value lies in its interval", None),
        ("every `sd` value lies in its interval", "sd"),
        ("the cost, if any, is right", "cost"),
        ("a costly path", "path"),
        ("the path length is the cost", "cost"),
    ],
)
def test_the_first_field_of_the_main_clause(text: str, subject: str | None) -> None:
    assert subject_of(text, FIELDS) == subject


@pytest.mark.parametrize(
    ("mapped", "unseen"),
    [(("test_largest",), None), (("test_mean", "test_largest"), None), (("test_mean",), ("R2", "largest"))],
)
def test_a_requirement_mapped_to_a_check_of_another_field(
    mapped: tuple[str, ...],
    unseen: tuple[str, str] | None,
    sound: FileTree,
    summary_tree: FileTree,
    evidence_for: Callable[..., Evidence],
) -> None:
    """R1 answers for both fields, so that each is looked at by some requirement's check."""
    toml = sound.text("harness.toml").replace('R1 = ["test_mean"]', 'R1 = ["test_mean", "test_largest"]')
    toml = toml.replace('R2 = ["test_largest"]', f"R2 = {list(mapped)}".replace("'", '"'))
    task = summary_tree.text("task.toml").replace('text = "the largest"', 'text = "largest is the largest value"')
    changed = FileTree({"task.toml": task.encode()})
    evidence = evidence_for(sound.merged(FileTree({"harness.toml": toml.encode()})), changed)
    nulls.look(evidence)  # Q14 looks at what others had judged, too
    finding = coverage.look(evidence)
    assert unseen_subject(evidence) == unseen
    assert (finding.verdict == "fail") == bool(unseen)
    assert not unseen or "No check of R2 goes red for anything that stands in largest alone." in finding.evidence

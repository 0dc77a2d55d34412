"""The zoo is what it says it is, and its benchmark counts right. The whole of it is run by `evalwright harness zoo`."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import docker
import pytest

from evals.grading import Grader
from evals.harness import parse_harness
from evals.task import Task
from harness_builder.qualification import Check, Qualification
from harness_builder.zoo import kept
from harness_builder.zoo.benchmark import report, run_zoo
from harness_builder.zoo.kept import Kept
from harness_builder.zoo.outcome import Outcome
from harness_builder.zoo.specimen import FAMILIES, HOME, SET_ASIDE, Specimen, base_tasks, load_zoo, twin_of
from harness_builder.zoo.witnesses import see
from tools.docker import DockerSandboxes
from tools.image import build_task_image

ZOO = load_zoo()
FLAWED = [specimen for specimen in ZOO if specimen.is_flawed]
SOUND = [specimen for specimen in ZOO if not specimen.is_flawed]
SEEN = ["extract/flawed/recall_only", "shortest/flawed/the_one_path", "fit/flawed/measured_again"]
"""Witnesses that are seen here: one of each kind that needs few gradings."""


@pytest.fixture(scope="module")
def grader_for(docker_client: docker.DockerClient, image: str) -> Callable[[Task], Grader]:
    def grader(task: Task) -> Grader:
        tag = build_task_image(docker_client, task.environment, image)
        seconds = task.ours.submission.timeout_sec
        return Grader(DockerSandboxes(), tag, "test-zoo", seconds, task.limits, task.public_files)

    return grader


def test_the_zoo_is_as_large_and_as_mixed_as_it_should_be() -> None:
    assert len(base_tasks()) >= 6
    assert len(FLAWED) >= 72
    assert len(SOUND) >= 72
    assert sum(specimen.odd for specimen in SOUND) * 3 >= len(SOUND)
    assert {specimen.family for specimen in FLAWED} == set(FAMILIES)
    assert min(Counter(specimen.family for specimen in FLAWED).values()) >= 3
    assert set(SET_ASIDE) < set(FAMILIES)


@pytest.mark.parametrize("specimen", FLAWED, ids=lambda specimen: specimen.id)
def test_a_flawed_harness_is_whole_and_has_a_sound_twin_and_a_witness(specimen: Specimen) -> None:
    assert specimen.witness is not None
    assert "reproduce.sh" in specimen.witness.submission
    assert (specimen.witness.kind == "unstable") == bool(specimen.witness.how)
    twin = twin_of(specimen, ZOO)
    changed = twin.harness.digest != specimen.harness.digest or twin.task.digest != specimen.task.digest
    assert changed and parse_harness(specimen.harness) and parse_harness(twin.harness)


@pytest.mark.parametrize("name", SEEN)
def test_a_witness_shows_the_fault_and_the_twin_is_free_of_it(name: str, grader_for: Callable[[Task], Grader]) -> None:
    specimen = next(each for each in FLAWED if each.id == name)
    assert see(specimen, twin_of(specimen, ZOO), grader_for(specimen.task)).holds


def outcome(specimen: Specimen, *complaints: str, baseline: bool = True) -> Outcome:
    checks = tuple(Check(name, "", "fail" if name in complaints else "pass") for name in ("Q1", "Q2", "Q3"))
    names = ("oracle_and_null", "mutation_score", "coverage")
    return Outcome(specimen, Qualification(specimen.harness.digest, checks), dict.fromkeys(names, baseline))


def test_the_report_counts_what_was_caught_by_which_check_and_what_only_by_it() -> None:
    first, second = (each for each in FLAWED[:2])
    outcomes = [outcome(first, "Q1", "Q3"), outcome(second), outcome(SOUND[0]), outcome(SOUND[1], "Q2")]
    result = report(outcomes)
    assert result["sensitivity"] == {"share": 0.5, "hits": 1, "of": 2, "interval": [0.0126, 0.9874]}
    assert result["specificity"]["hits"] == 1
    counted = {name: (facts["caught"], facts["only_it_caught"]) for name, facts in result["checks"].items()}
    assert counted == {"Q1": (1, 0), "Q2": (0, 0), "Q3": (1, 0)}
    assert result["checks"]["Q2"]["false_alarms"] == 1
    assert [each["specimen"] for each in result["wrong"]] == [second.id, SOUND[1].id]
    assert result["baselines"]["coverage"]["sensitivity"]["hits"] == 0
    assert report([outcome(first, "Q3")])["checks"]["Q3"]["only_it_caught"] == 1


def test_a_measurement_goes_on_from_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is measured here: a grader is never asked for."""
    done = [outcome(FLAWED[0], "Q1"), outcome(SOUND[0]), outcome(SOUND[1], "Q2", baseline=False)]
    path = tmp_path / "outcomes.jsonl"
    for each in done:
        Kept(path).add(each)
    path.write_text(path.read_text() + '\n{"gate": "torn')
    told: list[Outcome] = []
    again = run_zoo([each.specimen for each in done], lambda _: pytest.fail("measured"), told.append, kept=Kept(path))
    assert told == done
    assert {name: again[name] for name in report(done)} == report(done)
    assert Kept(path).of(SOUND[2], baselines=True) is None
    Kept(path).add(replace(outcome(SOUND[2]), baselines={}))
    assert Kept(path).of(SOUND[2], baselines=False) is not None
    assert Kept(path).of(SOUND[2], baselines=True) is None
    monkeypatch.setattr(kept, "gate_digest", lambda: "another gate")
    assert Kept(path).of(SOUND[0], baselines=True) is None


@pytest.mark.parametrize(
    "line",
    ["[" * 100_000, '{"checks": 5}', '{"checks": [], "seconds": 1}', '{"checks": [{"id": 1}]}', "[]", "\x00", "5"],
)
def test_lines_that_are_no_outcomes_are_passed_over(line: str, tmp_path: Path) -> None:
    path = tmp_path / "outcomes.jsonl"
    path.write_text(line)
    Kept(path).add(outcome(SOUND[0]))
    assert Kept(path).of(SOUND[0], baselines=True) == outcome(SOUND[0])


def test_outcomes_are_kept_in_plain_files_only(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "none/outcomes.jsonl"):
        with pytest.raises(OSError, match=r"plain file|No such file"):
            Kept(path)


def test_no_file_of_the_zoo_is_out_of_place() -> None:
    for task in base_tasks():
        assert {path.name for path in (HOME / task).iterdir()} == {"task", "base", "sound", "flawed"}

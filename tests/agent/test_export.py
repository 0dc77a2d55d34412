"""What the agent wrote can be read and taken along, and no case that the agent never saw is in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.story import Turn, as_markdown
from evals.ledger import Ledger
from evals.task import load_task


@pytest.fixture(scope="module")
def exported(solved: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "of the run"
    done = solved.call("export", solved.newest().id, str(folder), "--json")
    assert done.code == 0, done.err
    assert done.json["files"] == sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    return folder


def test_the_best_submission_is_shown(solved: Any, right: str) -> None:
    spoken = solved.call("show", "last", "--submission")
    assert spoken.code == 0, spoken.err
    assert "==> reproduce.sh <==" in spoken.out and "math.comb(n - c, k)" in spoken.out
    facts = solved.call("show", "last", "--submission", "--json").json
    assert facts["files"]["reproduce.sh"] == right
    assert facts["digest"] == solved.events("submission.promoted")[-1]["digest"]


def test_a_submission_is_shown_by_the_start_of_its_digest(solved: Any) -> None:
    digest = solved.events("submission.frozen")[0]["digest"]
    assert solved.call("show", "last", "--submission", "--which", digest[:8], "--json").json["digest"] == digest
    unknown = solved.call("show", "last", "--submission", "--which", "zzz")
    assert unknown.code == 2
    assert f"0 submissions are called 'zzz'. There are: {digest[:8]}" in unknown.err


def test_the_harness_is_shown_and_so_is_another_version(solved: Any) -> None:
    facts = solved.call("show", "last", "--harness", "--json").json
    assert (facts["name"], facts["digest"]) == ("version 1", solved.events("harness.frozen")[-1]["digest"])
    assert {"harness.toml", "metrics.py"} <= set(facts["files"])
    assert solved.call("show", "last", "--harness", "--which", "1", "--json").json == facts
    unknown = solved.call("show", "last", "--harness", "--which", "7")
    assert unknown.code == 2
    assert "there is no harness version '7'. There are: 1" in unknown.err


def test_the_transcript_is_shown(solved: Any) -> None:
    spoken = solved.call("show", "last", "--transcript")
    assert spoken.code == 0, spoken.err
    assert "Compute what the paper defines." in spoken.out
    turns = solved.call("show", "last", "--transcript", "--json").json["turns"]
    assert [turn["role"] for turn in turns][:3] == ["system", "user", "assistant"]
    calls = [call["name"] for turn in turns for call in turn["tool_calls"]]
    assert calls == ["submit", "write_file", "submit"]


@pytest.mark.parametrize("options", [("--submission", "--harness"), ("--which", "1"), ("--transcript", "--which", "1")])
def test_one_thing_is_shown_at_a_time(solved: Any, options: tuple[str, ...]) -> None:
    refused = solved.call("show", "last", *options)
    assert refused.code == 2
    assert "one thing is shown at a time" in refused.err


def test_everything_the_run_made_is_exported(solved: Any, exported: Path, right: str) -> None:
    assert (exported / "submission/reproduce.sh").read_text() == right
    frozen = solved.events("harness.frozen")[-1]
    assert sorted(str(p.relative_to(exported / "harness/version-1")) for p in exported.rglob("*") if p.is_file()
                  and p.is_relative_to(exported / "harness/version-1")) == frozen["files"]  # fmt: skip
    assert "Compute what the paper defines." in (exported / "transcript.md").read_text()
    facts = json.loads((exported / "run.json").read_text())
    assert (facts["best_validation"], facts["harnesses"][0]["verdict"]) == (1.0, "qualified")
    assert json.loads((exported / "audit.json").read_text())["sealed"] == 1.0
    assert solved.newest().id in (exported / "README.md").read_text()


def test_no_validation_and_no_test_case_is_exported(exported: Path, tiny: Any) -> None:
    text = "\n".join(path.read_text() for path in exported.rglob("*") if path.is_file())
    test = [json.loads(line)["id"] for line in load_task(tiny.where).tree.text("splits/test.jsonl").splitlines()]
    hidden = [case.id for case in tiny.validation.cases] + test
    assert len(hidden) > 10
    assert [case for case in hidden if f'"{case}"' in text] == []


def test_an_export_overwrites_nothing_and_leaves_nothing_half_done(solved: Any, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "empty").mkdir()
    refused = solved.call("export", "last", str(tmp_path / "full"))
    assert refused.code == 2
    assert "there is something already. Give a new directory" in refused.err
    assert solved.call("export", "last", str(tmp_path / "empty")).code == 0
    below_a_file = solved.call("export", "last", str(tmp_path / "full" / "mine.txt" / "x"))
    assert (below_a_file.code, len(below_a_file.err.splitlines())) == (3, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "full"]
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]


def test_a_run_without_submission_is_exported_as_far_as_it_came(house: Any, tmp_path: Path) -> None:
    with Ledger.open(house.db) as ledger:
        ledger.new_run(task="t", task_digest="0" * 64, model="m", config={})
    done = house.call("export", "last", str(tmp_path / "out"))
    assert done.code == 0, done.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["README.md", "run.json", "transcript.md"]
    nothing = house.call("show", "last", "--submission")
    assert (nothing.code, len(nothing.err.splitlines())) == (2, 1)
    assert "it has no harness yet" in house.call("show", "last", "--harness").err


def test_nothing_in_a_turn_can_close_its_fence_or_move_a_terminal() -> None:
    page = as_markdown("run-1", [Turn("now", "assistant", "attempt", "```python\n\tx = 1\n````\n\x1b[2J")])
    assert page.splitlines()[4:] == ["`````", "```python", "    x = 1", "````", r"\x1b[2J", "`````"]

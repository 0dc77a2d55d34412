"""What a workspace holds is kept as it changes, each content once, and a fresh box can take its place."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import snapshots
from agent.journal import Journal
from agent.snapshots import KIND, Snapshots
from evals.ledger import Ledger
from tools.docker import DockerSandboxes
from tools.files import FileTree
from tools.sandbox import BoxSpec, Limits, Sandbox

GIVEN = FileTree({"paper.md": b"a paper", "public/cases.jsonl": b"{}", "public/old.txt": b"old"})


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Ledger.open(tmp_path / "runs.db") as ledger:
        run_id = ledger.new_run(task="t", task_digest="0" * 64, model="m", config={})
        yield Journal(ledger, ledger.recorder(run_id))


@pytest.fixture
def boxes(image: str) -> Iterator[tuple[Sandbox, Sandbox]]:
    """The box of one life of a run and that of the next, with what the task gives in both."""
    spec = BoxSpec(image, "workspace", "test-snapshots", Limits(memory_mb=256, disk_mb=32))
    with DockerSandboxes().open(spec) as first, DockerSandboxes().open(spec) as second:
        for box in (first, second):
            box.put(GIVEN, "/workspace")
        yield first, second


def bash(box: Sandbox, command: str) -> str:
    done = box.run(["bash", "-c", command], timeout=20)
    assert done.exit_code == 0, done.stderr
    return done.stdout.decode()


def kept(journal: Journal) -> list[dict[str, object]]:
    return [payload for _, payload in journal.all(KIND)]


def test_a_fresh_box_takes_the_place_of_the_old_one(journal: Journal, boxes: tuple[Sandbox, Sandbox]) -> None:
    first, second = boxes
    following = Snapshots(journal, first)
    following.begin()
    for command in (
        "mkdir -p a/b; echo one > a/b/c; echo run > tool; chmod +x tool; echo x > 'odd -name\n'; ln -s a link",
        "echo two > a/b/c; rm public/old.txt; echo mine >> paper.md",
        "rm tool; mkdir tool; echo deep > tool/file; touch -d 2001-01-01 a/b/c",
    ):
        bash(first, command)
        following.take()
    again = Snapshots(journal, second)
    assert again.restore() == []
    bash(first, "rm link")
    assert second.get("/workspace") == first.get("/workspace")
    again.take()
    assert len(kept(journal)) == 3, "what was restored is known, and not kept again"


def test_what_may_be_executed_may_be_executed_again(journal: Journal, boxes: tuple[Sandbox, Sandbox]) -> None:
    first, second = boxes
    following = Snapshots(journal, first)
    following.begin()
    bash(first, "printf '#!/bin/sh\\necho it runs' > ./-tool; chmod +x ./-tool; echo data > data")
    following.take()
    Snapshots(journal, second).restore()
    assert bash(second, "./-tool; test -x data || echo no") == "it runs\nno\n"


def test_only_what_changed_is_recorded_and_the_same_bytes_once(
    journal: Journal, boxes: tuple[Sandbox, Sandbox]
) -> None:
    first, _ = boxes
    following = Snapshots(journal, first)
    following.begin()
    following.take()
    assert kept(journal) == []
    bash(first, "echo same > one; echo same > two")
    following.take()
    bash(first, "echo more > three")
    following.take()
    following.take()
    files = [payload["files"] for payload in kept(journal)]
    assert [sorted(each) for each in files] == [["one", "two"], ["three"]]  # type: ignore[call-overload]
    assert len({json.dumps(entry) for entry in files[0].values()}) == 1  # type: ignore[attr-defined]


def test_large_files_are_kept_at_milestones_and_the_largest_are_named(
    journal: Journal, boxes: tuple[Sandbox, Sandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SMALL_BYTES", 1_000)
    monkeypatch.setattr(snapshots, "ALL_BYTES", 10_000)
    first, second = boxes
    following = Snapshots(journal, first)
    following.begin()
    bash(first, "head -c 900 /dev/zero > small; head -c 5000 /dev/zero > large; head -c 20000 /dev/zero > huge")
    following.take()
    following.take(milestone=True)
    following.take(milestone=True)
    assert [(sorted(each["files"]), each["left"]) for each in kept(journal)] == [  # type: ignore[call-overload]
        (["small"], []),
        (["large"], ["huge"]),
    ]
    assert Snapshots(journal, second).restore() == ["huge"]
    assert sorted(second.get("/workspace")) == ["large", "paper.md", "public/cases.jsonl", "public/old.txt", "small"]


def test_large_files_are_kept_when_it_is_time(
    journal: Journal, boxes: tuple[Sandbox, Sandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SMALL_BYTES", 1_000)
    first, _ = boxes
    following = Snapshots(journal, first)
    following.begin()
    bash(first, "head -c 5000 /dev/zero > large")
    following.take()
    monkeypatch.setattr(snapshots, "EVERY_SEC", 0.0)
    following.take()
    assert [sorted(each["files"]) for each in kept(journal)] == [["large"]]  # type: ignore[call-overload]


def test_more_files_than_are_followed_are_said_once_and_stop_nothing(
    journal: Journal, boxes: tuple[Sandbox, Sandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MAX_FILES", 5)
    first, _ = boxes
    following = Snapshots(journal, first)
    following.begin()
    bash(first, "touch 1 2 3 4 5 6")
    following.take()
    following.take()
    assert [payload["reason"] for _, payload in journal.all("workspace.unkept")] == [
        "stamps in the box: more than 5 files"
    ]
    bash(first, "rm 3 4 5 6; echo x > 1")
    following.take()
    assert [sorted(each["files"]) for each in kept(journal)] == [["1", "2"]]  # type: ignore[call-overload]

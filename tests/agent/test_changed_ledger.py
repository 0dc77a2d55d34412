"""What a person asks of a ledger that somebody changed, or that cannot be written, is answered in clear lines."""

import getpass
import json
from pathlib import Path
from typing import Any

import pytest

from agent import cli
from agent.launch import order_of
from agent.report import details, print_verified
from evals.ledger import Finding, Head, Ledger
from evals.ledger.chain import event_hash
from tools.errors import AuthorError

SCORED = {"digest": "d", "split": "public", "state": "scored", "value": 1.0, "accepted": True, "detail": ""}
USAGE = {"prompt": 3, "cached": 2, "output": 1, "cost_usd": None}
CHECK = {"id": "null", "verdict": "fail", "evidence": "it accepts nothing", "remedy": "Look"}
SOUND = {
    "harness.verdict": {"version": 1, "verdict": "rejected", "checks": [CHECK]},
    "submission.scored": SCORED,
    "model.reply": {"usage": USAGE},
    "run.finished": {"state": "finished", "reason": "done"},
}


@pytest.fixture
def ledger(tmp_path: Path) -> Any:
    with Ledger.open(tmp_path / "runs.db") as opened:
        yield opened


def run_with(ledger: Ledger, kind: str, payload: dict[str, Any]) -> str:
    run_id = ledger.new_run(task="t", task_digest="d", model="m", config={})
    ledger.recorder(run_id).append(kind, payload)
    return run_id


def test_show_reads_what_a_run_records(ledger: Ledger) -> None:
    run_id = ledger.new_run(task="t", task_digest="d", model="m", config={})
    for kind, payload in SOUND.items():
        ledger.recorder(run_id).append(kind, payload)
    facts = details(ledger, ledger.run(run_id))
    assert facts["harnesses"] == [{"version": 1, "verdict": "rejected", "complaints": [CHECK]}]
    assert [{**SCORED, "at": each["at"]} for each in facts["submissions"]] == facts["submissions"]
    assert facts["tokens"] == {"prompt": 3, "cached": 2, "output": 1, "replies": 1, "unpriced": 1}
    assert facts["reason"] == "done"


@pytest.mark.parametrize(
    ("kind", "change", "problem"),
    [
        *[(kind, None, "its payload is not the canonical JSON of an object") for kind in SOUND],
        ("harness.verdict", {"version": "1"}, "version is not an integer"),
        ("harness.verdict", {"checks": {}}, "checks is not a list"),
        ("harness.verdict", {"checks": [1]}, r"checks\[0\] is not an object"),
        ("harness.verdict", {"checks": [{**CHECK, "evidence": 1}]}, r"checks\[0\]\.evidence is not text"),
        ("submission.scored", {"value": "1"}, "value is not a finite number"),
        ("submission.scored", {"value": 10**400}, "value is not a finite number"),
        ("submission.scored", {"accepted": 1}, "accepted is not true or false"),
        ("submission.scored", {"digest": None}, "digest is not text"),
        ("model.reply", {"usage": []}, "usage is not an object"),
        ("model.reply", {"usage": {**USAGE, "prompt": 1.5}}, r"usage\.prompt is not an integer"),
        ("model.reply", {"usage": {"prompt": 1, "cached": 1, "output": 1}}, r"usage\.cost_usd is not a finite number"),
        ("run.finished", {"reason": 3}, "reason is not text"),
    ],
)
def test_show_names_the_event_that_cannot_be_read(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, kind: str, change: dict[str, Any] | None, problem: str
) -> None:
    """The payloads are well hashed: what a program recorded wrongly is no better than what somebody changed."""
    run_id = ledger.new_run(task="t", task_digest="d", model="m", config={})
    first = next(ledger.events(run_id))
    text = "[" * 100_000 if change is None else json.dumps(SOUND[kind] | change, sort_keys=True, separators=(",", ":"))
    forged = event_hash(run_id, 2, first.at, kind, text, prev_hash=first.hash)
    with ledger._database.writing() as connection:
        row = (run_id, 2, first.at, kind, text, first.hash, forged)
        connection.exec_driver_sql("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    with pytest.raises(AuthorError, match=f"^run {run_id}, event 2: it cannot be read: {problem}. `evalwright verify"):
        details(ledger, ledger.run(run_id))


def test_verify_tells_how_much_it_found_intact(capsys: pytest.CaptureFixture[str]) -> None:
    print_verified([], [Head("a", 5, "e" * 64), Head("b", 7, "f" * 64)])
    a, b = "a: 5 events, head " + "e" * 64, "b: 7 events, head " + "f" * 64
    assert capsys.readouterr().out.splitlines() == [a, b, "intact: 2 runs, 12 events"]


def test_verify_names_a_table_a_run_or_an_event(capsys: pytest.CaptureFixture[str]) -> None:
    print_verified([Finding("", 0, "p"), Finding("r", 0, "q"), Finding("r", 3, "s")], [])
    assert capsys.readouterr().out.splitlines() == ["p", "r: q", "r event 3: s", "broken"]


def test_a_user_the_system_does_not_know_still_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> str:
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert cli._login_name().split()[-1].isdigit()


def test_a_paused_run_is_audited_only_once_it_is_ended_and_goes_on_only_under_a_closed_seal(
    house: Any, script: Any, tiny: Any, image: str
) -> None:
    assert house.run(tiny.where, script).code != 0
    assert house.newest().state == "paused"
    refused = house.call("audit", "last")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "it is not over, and its test split stays sealed until it is" in refused.err

    run_id, committed = house.newest().id, house.events("seal.committed")
    with Ledger.open(house.db) as ledger:
        other = ledger.new_run(task="tiny", task_digest=tiny.digest, model="m", config={})
        ledger.recorder(other).append("seal.opened", {"seal": committed[0]["seal"], "who": "w", "why": "w"})
    stale = house.call("resume", run_id)
    assert stale.code == 2 and "seal" in stale.err
    sealed = house.call("task", "seal", tiny.where, "--json").json
    house.call("resume", run_id)
    seals = [each["seal"] for each in house.events("seal.committed", run=run_id)]
    assert seals == [committed[0]["seal"], sealed["seal"]]
    with Ledger.open(house.db) as ledger:
        assert ledger.verify(run_id) == []


def test_a_run_whose_record_was_changed_is_not_resumed(ledger: Ledger) -> None:
    run_id = run_with(ledger, "task.registered", {"digest": "d", "blob": "b", "where": "w"})
    with ledger._database.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER event_no_update")
        connection.exec_driver_sql("UPDATE event SET payload = '[1]' WHERE seq = 2")
    with pytest.raises(AuthorError, match=f"^run {run_id}, event 2: its record was changed, so nothing can be added"):
        order_of(ledger, run_id)

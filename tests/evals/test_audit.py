"""The audit confirms a true self-score, refutes a false one, and leaves a trace of every seal it opens.

The runs are made by hand in a real ledger. Two are graded in real containers; where only the ledger is in question, a
grader that hands out prepared scores stands in.
"""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.audit.audit import Audit, audit, subject_of
from evals.grading import Grader
from evals.harness import Harness
from evals.ledger import Ledger
from evals.score import CaseScore, Score, ScoreState
from evals.splits import Case, Keyring, Split, seal_split
from evals.task import Task
from tools.errors import AuthorError, EnvironmentFailure
from tools.files import FileTree

TEST = Split("test", tuple(Case(f"test-{number}", {"x": x}, 2 * x) for number, x in enumerate((901, 902, 903, 904))))
WHO, WHY = "a reviewer", "the report is due"
# Knows two of the four validation cases, and nothing else.
HALF_BY_HEART = "def double(x):\n    return {701: 1402, 703: 1406}.get(x)\n"


class Prepared:
    """A grader whose scores are known, by the split's name; one after the other where a split has several."""

    def __init__(self, **scores: Score | list[Score]) -> None:
        self.scores = scores

    def grade(self, submission: FileTree, harness: Harness, split: Split) -> Score:
        prepared = self.scores[split.name]
        return prepared.pop(0) if isinstance(prepared, list) else prepared


def scored(*values: float) -> Score:
    """A score of cases with these values; accepted when each is 1."""
    cases = tuple(CaseScore(f"case-{number}", {"score": value}) for number, value in enumerate(values))
    return Score(ScoreState.SCORED, value=sum(values) / len(values), accepted=min(values) == 1.0, cases=cases)


PERFECT = scored(1, 1, 1, 1)


class Recorded:
    """A run in a ledger of its own: one submission, promoted with a value that may or may not be true."""

    def __init__(self, home: Path, task: Task, submission: FileTree, value: float) -> None:
        self.path, self.keyring = home / "runs.db", Keyring(home / "keys")
        harness = task.tree.subtree("tests/reference")
        with Ledger.open(self.path) as ledger:
            seal = seal_split(TEST, self.keyring)
            ledger.add_seal(seal, task.digest)
            self.id = ledger.new_run(task="tests/doubling", task_digest=task.digest, model="by hand", config={})
            recorder = ledger.recorder(self.id)
            recorder.append("task.registered", {"digest": task.digest, "blob": ledger.put_tree(task.auditable)})
            recorder.append("seal.committed", {"seal": seal.id, "commitment": seal.commitment})
            recorder.append("harness.frozen", {"digest": harness.digest, "blob": ledger.put_tree(harness)})
            recorder.append("submission.frozen", {"digest": submission.digest, "blob": ledger.put_tree(submission)})
            promoted = {"digest": submission.digest, "harness": harness.digest, "value": value}
            recorder.append("submission.promoted", promoted)
            recorder.append("run.finished", {"state": "finished", "reason": "by hand"})
        self.seal = seal

    def audit(self, grader: Any) -> Audit:
        with Ledger.open(self.path) as ledger:
            subject = subject_of(ledger, self.id)
            return audit(ledger, subject, grader, self.keyring, who=WHO, why=WHY, say=lambda _: None)

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        with Ledger.open(self.path) as ledger:
            return [(event.kind, json.loads(event.payload)) for event in ledger.events(self.id)]

    def tamper(self, sql: str) -> None:
        """Change the file behind the ledger's back, its triggers dropped."""
        with sqlite3.connect(self.path) as connection:
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            assert connection.execute(sql).rowcount > 0
        connection.close()


@pytest.fixture
def recorded(tmp_path: Path, doubling: Task, right: FileTree) -> Recorded:
    """A run that recorded 1.0 for a submission that is right."""
    return Recorded(tmp_path, doubling, right, 1.0)


# ---- graded in containers


def test_a_true_self_score_is_confirmed(recorded: Recorded, grader: Grader, doubling: Task) -> None:
    result = recorded.audit(grader)
    assert result == Audit(
        run=recorded.id,
        chain="intact",
        submission=doubling.oracle.digest if doubling.oracle else "",
        harness=doubling.reference.digest if doubling.reference else "",
        recorded=1.0,
        validation=1.0,
        sealed=1.0,
        reference=1.0,
        gap=0.0,
        holds=True,
        problems=(),
    )
    kinds = [kind for kind, _ in recorded.events()]
    assert kinds[-2:] == ["seal.opened", "audit.finished"]
    with Ledger.open(recorded.path) as ledger:
        assert ledger.verify() == [], "the audit itself is part of the record"
        assert (ledger.run(recorded.id).sealed, ledger.run(recorded.id).gap) == (1.0, 0.0)


def test_a_value_that_was_made_up_for_a_submission_that_knows_cases_by_heart_is_refuted(
    tmp_path: Path, grader: Grader, doubling: Task, submission_of: Callable[..., FileTree]
) -> None:
    """Two of four right: the deviation is sqrt(4/3 * 1/4), its standard error half of it, twice that 0.5774."""
    result = Recorded(tmp_path, doubling, submission_of(HALF_BY_HEART), 1.0).audit(grader)
    assert (result.recorded, result.validation, result.sealed, result.reference) == (1.0, 0.5, 0.0, 0.0)
    assert (result.gap, result.holds, result.chain) == (1.0, False, "intact")
    assert result.problems == (
        "validation was recorded as 1 and is 0.5 when graded again",
        "the sealed score is worse by 1; chance explains 0.5774 (two standard errors)",
    )


# ---- the record


def test_opening_the_seal_is_an_event_with_who_and_why(recorded: Recorded) -> None:
    result = recorded.audit(Prepared(validation=PERFECT, test=PERFECT))
    opened, finished = recorded.events()[-2:]
    assert opened == ("seal.opened", {"seal": recorded.seal.id, "who": WHO, "why": WHY})
    assert finished == ("audit.finished", {**result.as_json(), "problems": []})
    with Ledger.open(recorded.path) as ledger:
        assert ledger.was_opened(recorded.seal.id)
        assert not ledger.was_opened("seal-of-another-run")


@pytest.mark.parametrize(
    ("sealed", "gap", "problems"),
    [
        ((1, 1, 1, 0), 0.25, ()),
        (
            (1, 0, 0, 0),
            0.75,
            ("the sealed score is worse by 0.75; chance explains 0.5 (two standard errors)",),
        ),
    ],
)
def test_a_gap_counts_when_it_is_more_than_chance_explains(
    recorded: Recorded, sealed: tuple[float, ...], gap: float, problems: tuple[str, ...]
) -> None:
    """One of four differs: the deviation is sqrt(4/3 * 3/16) = 1/2, its standard error 1/4, twice that 1/2."""
    result = recorded.audit(Prepared(validation=PERFECT, test=scored(*sealed)))
    assert (result.gap, result.problems, result.holds) == (gap, problems, not problems)


def test_a_reference_that_does_not_accept_what_the_runs_own_harness_accepts_refutes(recorded: Recorded) -> None:
    result = recorded.audit(Prepared(validation=PERFECT, test=[PERFECT, scored(1, 1, 1, 0)]))
    assert (result.sealed, result.reference, result.holds) == (1.0, 0.75, False)
    assert result.problems == (
        "the run's own harness accepts the submission on the sealed split, the reference harness does not",
    )


def test_the_event_stands_even_when_the_key_is_missing(recorded: Recorded) -> None:
    recorded.keyring.path(recorded.seal.key_id).unlink()
    with pytest.raises(EnvironmentFailure, match="the key cannot be read"):
        recorded.audit(Prepared(validation=PERFECT))
    assert recorded.events()[-1][0] == "seal.opened"


@pytest.mark.parametrize(
    ("sql", "chain"),
    [
        (
            "UPDATE event SET payload = replace(payload, '1.0', '0.9') WHERE kind = 'submission.promoted'",
            "event 6: the content was changed: it does not have the recorded hash",
        ),
        ("DELETE FROM event WHERE kind = 'run.started'", "event 1: event 1 is missing"),
        ("UPDATE run SET model = 'another'", "event 1: the run's row was changed: model differ from the first event"),
    ],
)
def test_a_changed_ledger_is_reported_and_refutes(recorded: Recorded, sql: str, chain: str) -> None:
    recorded.tamper(sql)
    result = recorded.audit(Prepared(validation=PERFECT, test=PERFECT))
    assert (result.chain, result.holds) == (chain, False)
    assert f"the chain is broken at {chain}" in result.problems


@pytest.mark.parametrize("payload", ["", "[]", "{}", "null"])
def test_a_record_that_cannot_be_read_any_more_is_told_in_one_line(recorded: Recorded, payload: str) -> None:
    recorded.tamper(f"UPDATE event SET payload = '{payload}' WHERE kind = 'submission.promoted'")
    with pytest.raises(AuthorError) as caught:
        recorded.audit(Prepared())
    where, command = f"run {recorded.id}", f"`evalwright verify {recorded.id}`"
    assert str(caught.value) == f"{where}: its record was changed and cannot be read. {command} names the event"


def test_an_exchanged_seal_does_not_open(recorded: Recorded) -> None:
    recorded.tamper("UPDATE seal SET commitment = replace(commitment, substr(commitment, 1, 1), 'x')")
    with pytest.raises(AuthorError, match=f"^{recorded.seal.id}: the seal was changed, or .* is not its key"):
        recorded.audit(Prepared(validation=PERFECT))


def test_a_harness_or_submission_that_no_longer_scores_refutes(recorded: Recorded) -> None:
    invalid = Score(ScoreState.HARNESS_INVALID, detail="no check was collected")
    failed = Score(ScoreState.SUBMISSION_FAILED, detail="reproduce.sh ended with status 1")
    result = recorded.audit(Prepared(validation=invalid, test=failed))
    assert (result.validation, result.sealed, result.gap, result.holds) == (None, None, None, False)
    assert result.problems == (
        "graded again on validation: harness_invalid: no check was collected",
        "on the sealed test split: submission_failed: reproduce.sh ended with status 1",
    )


def test_without_an_engine_the_audit_stops_before_the_seal_is_opened(recorded: Recorded) -> None:
    down = Score(ScoreState.INFRASTRUCTURE_FAILED, detail="the Docker engine does not answer")
    with pytest.raises(EnvironmentFailure, match=r"^grading validation: the Docker engine .*\. Run the audit again$"):
        recorded.audit(Prepared(validation=down))
    assert recorded.events()[-1][0] == "run.finished"


def test_a_run_that_promoted_nothing_has_nothing_to_audit(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "runs.db") as ledger:
        run_id = ledger.new_run(task="t", task_digest="d", model="m", config={})
        with pytest.raises(AuthorError, match=f"^run {run_id}: nothing was promoted, so there is nothing to audit$"):
            subject_of(ledger, run_id)

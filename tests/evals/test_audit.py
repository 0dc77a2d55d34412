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

from evals.audit.audit import Audit, audit, auditing
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

    def __init__(
        self, home: Path, task: Task, submission: FileTree, value: float, *, harness: FileTree | None = None
    ) -> None:
        self.path, self.keyring = home / "runs.db", Keyring(home / "keys")
        harness = harness or task.tree.subtree("tests/reference")
        with Ledger.open(self.path) as ledger:
            seal = seal_split(TEST, self.keyring)
            ledger.add_seal(seal, task.digest)
            self.id = ledger.new_run(task="tests/doubling", task_digest=task.digest, model="by hand", config={})
            recorder = ledger.recorder(self.id)
            recorder.append("task.registered", {"digest": task.digest, "blob": ledger.put_tree(task.auditable)})
            recorder.append("seal.committed", seal.committed(task.digest))
            recorder.append("harness.frozen", {"digest": harness.digest, "blob": ledger.put_tree(harness)})
            recorder.append("submission.frozen", {"digest": submission.digest, "blob": ledger.put_tree(submission)})
            promoted = {"digest": submission.digest, "harness": harness.digest, "value": value}
            recorder.append("submission.promoted", promoted)
            recorder.append("run.finished", {"state": "finished", "reason": "by hand"})
        self.seal = seal

    def audit(self, grader: Any, *, end: bool = False) -> Audit:
        with Ledger.open(self.path) as ledger, auditing(ledger, self.id, end=end) as subject:
            return audit(ledger, subject, grader, self.keyring, who=WHO, why=WHY, say=lambda _: None)

    def append(self, kind: str, **payload: Any) -> None:
        with Ledger.open(self.path) as ledger:
            ledger.recorder(self.id).append(kind, payload)

    def kinds(self) -> list[str]:
        with Ledger.open(self.path) as ledger:
            return [event.kind for event in ledger.events(self.id)]

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
        accepted=True,
        reference=1.0,
        reference_accepted=True,
        gap=0.0,
        verdict="holds",
        problems=(),
    )
    assert recorded.kinds()[-2:] == ["seal.opened", "audit.finished"]
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
    assert recorded.kinds()[-1] == "seal.opened"


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
    result = recorded.audit(Prepared())
    assert (result.chain, result.verdict, result.holds) == (chain, "refuted", False)
    assert result.problems[0] == f"the chain is broken at {chain}"
    assert recorded.kinds()[-1] == "audit.finished"
    assert "seal.opened" not in recorded.kinds(), "nothing that was sealed may be spent on a broken record"


@pytest.mark.parametrize("change", ["ciphertext = x'00'", "commitment = 'x'", "key_id = 'x'", "task_digest = 'x'"])
def test_a_changed_seal_is_found_before_it_is_opened(recorded: Recorded, change: str) -> None:
    recorded.tamper(f"UPDATE seal SET {change}")
    result = recorded.audit(Prepared())
    assert (result.holds, "seal.opened" in recorded.kinds()) == (False, False)
    assert result.chain.startswith(f"event 3: seal {recorded.seal.id} has another ")


PROMOTED = "it cannot be read: its payload is not the canonical JSON of an object"


@pytest.mark.parametrize(
    ("kind", "payload", "problem"),
    [
        ("submission.promoted", "", PROMOTED),
        ("submission.promoted", "[]", PROMOTED),
        ("submission.promoted", "null", PROMOTED),
        pytest.param("submission.promoted", "[" * 100_000, PROMOTED, id="nested deeply"),
        ("submission.promoted", '{"value":NaN}', PROMOTED),
        ("submission.promoted", "{}", "it cannot be read: digest is not text"),
        ("task.registered", '{"blob":[1]}', "it cannot be read: blob is not text"),
        ("seal.committed", '{"seal":["x"]}', "it cannot be read: seal is not text"),
        ("submission.frozen", "{}", "it cannot be read: digest is not text"),
    ],
)
def test_an_event_that_cannot_be_read_is_named_in_one_line(
    recorded: Recorded, kind: str, payload: str, problem: str
) -> None:
    recorded.tamper(f"UPDATE event SET payload = '{payload}' WHERE kind = '{kind}'")
    seq = recorded.kinds().index(kind) + 1
    with pytest.raises(AuthorError) as caught:
        recorded.audit(Prepared())
    place, command = f"run {recorded.id}, event {seq}", f"`evalwright verify {recorded.id}`"
    assert str(caught.value) == f"{place}: {problem}. {command} names what was changed"
    assert "seal.opened" not in recorded.kinds()


def test_a_value_too_large_for_a_number_is_told_as_such(recorded: Recorded) -> None:
    huge = "9" * 400
    recorded.tamper(f"UPDATE event SET payload = replace(payload, '1.0', '{huge}') WHERE kind = 'submission.promoted'")
    with pytest.raises(AuthorError, match="event 6: it cannot be read: value is not a finite number"):
        recorded.audit(Prepared())


@pytest.mark.parametrize("kind", ["task.registered", "harness.frozen"])
def test_a_blob_that_is_not_what_its_event_says_is_told_in_one_line(recorded: Recorded, kind: str) -> None:
    with Ledger.open(recorded.path) as ledger:
        blob = ledger.put_blob(b"no tree of files")
    recorded.tamper(f"UPDATE event SET payload = json_set(payload, '$.blob', '{blob}') WHERE kind = '{kind}'")
    seq = recorded.kinds().index(kind) + 1
    problem = f"^run {recorded.id}, event {seq}: what it kept cannot be read: blob {blob} is no tree of files"
    with pytest.raises(AuthorError, match=problem):
        recorded.audit(Prepared())


def test_a_promotion_of_what_was_never_frozen_is_named(recorded: Recorded) -> None:
    recorded.tamper("UPDATE event SET payload = json_set(payload, '$.harness', 'x') WHERE kind = 'submission.promoted'")
    with pytest.raises(
        AuthorError, match=f"^run {recorded.id}, event 6: harness x was never frozen. `evalwright verify"
    ):
        recorded.audit(Prepared())


def test_a_task_that_was_exchanged_for_other_files_is_named(recorded: Recorded) -> None:
    blob = recorded.events()[4][1]["blob"]
    recorded.tamper(f"UPDATE event SET payload = json_set(payload, '$.blob', '{blob}') WHERE kind = 'task.registered'")
    with pytest.raises(AuthorError, match=f"^run {recorded.id}, event 2: what it kept cannot be read: its task"):
        recorded.audit(Prepared())


# ---- when a run may be audited


@pytest.fixture
def paused(recorded: Recorded) -> Recorded:
    """The same run, paused after all."""
    recorded.append("run.paused", reason="by hand")
    return recorded


def test_a_run_that_could_go_on_keeps_its_seal_closed(paused: Recorded) -> None:
    before = paused.events()
    with pytest.raises(AuthorError) as caught:
        paused.audit(Prepared())
    resume, end = f"`evalwright resume {paused.id}`", f"`evalwright audit {paused.id} --end`"
    problem = f"run {paused.id}: it is not over, and its test split stays sealed until it is"
    assert str(caught.value) == f"{problem}. Go on with it by {resume}, or end it by {end}"
    assert paused.events() == before


def test_an_audit_told_to_end_a_run_says_so_before_the_seal_is_opened(paused: Recorded) -> None:
    assert paused.audit(Prepared(validation=PERFECT, test=PERFECT), end=True).holds
    assert paused.kinds()[-3:] == ["run.finished", "seal.opened", "audit.finished"]
    assert paused.events()[-3][1] == {"state": "finished", "reason": f"ended for an audit by {WHO}"}
    with Ledger.open(paused.path) as ledger:
        assert ledger.run(paused.id).state == "finished", "and a finished run is not resumed"


def test_a_run_is_not_ended_by_an_audit_that_does_not_open_its_seal(paused: Recorded) -> None:
    down = Score(ScoreState.INFRASTRUCTURE_FAILED, detail="the Docker engine does not answer")
    with pytest.raises(EnvironmentFailure):
        paused.audit(Prepared(validation=down), end=True)
    assert paused.kinds()[-1] == "run.paused"


def test_a_run_under_way_is_not_audited(recorded: Recorded) -> None:
    recorded.append("run.resumed")
    with (
        Ledger.open(recorded.path) as ledger,
        ledger.drive(recorded.id),
        pytest.raises(AuthorError, match=f"run {recorded.id} is being driven by process"),
    ):
        recorded.audit(Prepared(), end=True)
    assert recorded.kinds()[-1] == "run.resumed"


def test_nobody_resumes_a_run_while_it_is_audited(recorded: Recorded) -> None:
    with (
        Ledger.open(recorded.path) as ledger,
        auditing(ledger, recorded.id),
        pytest.raises(AuthorError, match="is being driven by process"),
        ledger.drive(recorded.id),
    ):
        pass


def test_a_seal_that_another_run_is_judged_on_at_the_moment_stays_closed(recorded: Recorded, doubling: Task) -> None:
    with Ledger.open(recorded.path) as ledger:
        other = ledger.new_run(task="tests/doubling", task_digest=doubling.digest, model="by hand", config={})
        ledger.recorder(other).append("seal.committed", recorded.seal.committed(doubling.digest))
        with (
            ledger.drive(other),
            pytest.raises(AuthorError, match=f"run {other} is under way and is judged on the same sealed cases"),
        ):
            recorded.audit(Prepared())
    assert "seal.opened" not in recorded.kinds()
    assert recorded.audit(Prepared(validation=PERFECT, test=PERFECT)).holds, "once the other one is no longer at it"


# ---- what the reference harness says


# Returns 1 for what is right and all but 1 for anything else, so that even rubbish is nearly accepted.
LAX = """\
def score(case, output):
    return {"score": 1.0 if output == case["expected"] else 0.9999}
"""


def test_rubbish_that_its_own_harness_nearly_accepts_is_refuted_by_the_reference(
    tmp_path: Path, grader: Grader, doubling: Task, harness_tree: FileTree, submission_of: Callable[..., FileTree]
) -> None:
    lax = harness_tree.merged(FileTree({"metrics.py": LAX.encode(), "test_doubling.py": b"def test_doubles(): pass\n"}))
    rubbish = submission_of("def double(x):\n    return -1\n")
    result = Recorded(tmp_path, doubling, rubbish, 0.9999, harness=lax).audit(grader)
    assert (result.validation, result.sealed, result.reference, result.gap) == (0.9999, 0.9999, 0.0, 0.0)
    assert (result.accepted, result.reference_accepted, result.verdict) == (False, False, "refuted")
    assert result.problems == (
        "on the sealed split the run's own harness puts the submission at 100% of what it accepts, "
        "the reference harness at 0%",
    )


def with_bounds(harness_tree: FileTree, bounds: str) -> FileTree:
    return harness_tree.merged(
        FileTree({"harness.toml": harness_tree.text("harness.toml").replace("[0.0, 1.0]", bounds).encode()})
    )


@pytest.mark.parametrize("bounds", ["[0.0, 1000000.0]", "[-1000000.0, 1.0]", "[-1.7e308, 1.7e308]"])
def test_wide_bounds_do_not_hide_that_a_harness_is_lax(
    tmp_path: Path, doubling: Task, right: FileTree, harness_tree: FileTree, bounds: str
) -> None:
    lax = with_bounds(harness_tree, bounds)
    run = Recorded(tmp_path, doubling, right, 0.9999, harness=lax)
    nearly, nothing = scored(*[0.9999] * 4), scored(0, 0, 0, 0)
    assert run.audit(Prepared(validation=nearly, test=[nearly, nothing])).verdict == "refuted"


def test_partial_credit_that_the_reference_bears_out_holds_though_nobody_accepts(recorded: Recorded) -> None:
    half = scored(1, 1, 0, 0)
    recorded.append("submission.promoted", **{**recorded.events()[5][1], "value": 0.5})
    result = recorded.audit(Prepared(validation=half, test=[half, scored(1, 0.5, 0, 0)]))
    assert (result.verdict, result.accepted, result.reference_accepted) == ("holds", False, False)


def test_a_reference_that_gives_no_result_is_said_as_such_and_nothing_is_confirmed(recorded: Recorded) -> None:
    invalid = Score(ScoreState.HARNESS_INVALID, detail="no module named nosuch")
    result = recorded.audit(Prepared(validation=PERFECT, test=[PERFECT, invalid]))
    assert (result.verdict, result.holds) == ("unchecked", False)
    assert (result.reference, result.reference_accepted, result.sealed) == (None, None, 1.0)
    assert result.problems == (
        "the reference harness gives no result on the sealed test split: no module named nosuch; "
        "so whether the run's own harness is right was not checked. The task's author has to mend it",
    )


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
        ledger.recorder(run_id).append("run.finished", {"state": "failed", "reason": "by hand"})
        problem = f"^run {run_id}: nothing was promoted, so there is nothing to audit$"
        with pytest.raises(AuthorError, match=problem), auditing(ledger, run_id):
            pass

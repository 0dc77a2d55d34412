"""The basic audit of one run: chain verified, best submission regraded, the sealed test split opened and scored.

Everything is taken from the ledger (task, harness and submission as they were frozen), and every grading runs in fresh
containers. The agent's own harness scores the test split, and so does the task's reference harness where there is one:
the gap says how far the self-score was from the sealed one, the reference says whether the harness itself was right.
Opening the seal is an event, with who and why.
"""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from evals.grading import Grader
from evals.harness import Harness, parse_harness
from evals.ledger import Ledger
from evals.score import Score, ScoreState
from evals.splits import Keyring, Split, open_seal
from evals.stats import standard_error
from evals.task import Task, parse_task
from tools.errors import AuthorError, EnvironmentFailure
from tools.files import FileTree


@dataclass(frozen=True)
class Audit:
    """What the audit found; `holds` is the answer to whether the run's self-score is confirmed."""

    run: str
    chain: str
    """"intact", or the first thing that is not as it was recorded."""
    submission: str
    harness: str
    recorded: float
    """The validation value the run recorded for its promoted submission."""
    validation: float | None
    """The same, graded again now."""
    sealed: float | None
    """The agent's harness on the sealed test split."""
    reference: float | None
    """The task's reference harness on the sealed test split; None when the task has none."""
    gap: float | None
    """recorded - sealed, in the direction in which the metric improves: positive when the run promised too much."""
    holds: bool
    problems: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Subject:
    """What of a run is audited, as the ledger froze it."""

    run_id: str
    task: Task
    submission: FileTree
    harness: Harness
    recorded: float
    seal: str


def subject_of(ledger: Ledger, run_id: str) -> Subject:
    """Read the promoted submission and what it was graded with; AuthorError when there is none, or none to be read."""
    try:
        return _subject(ledger, run_id)
    except (KeyError, TypeError, ValueError):
        problem, remedy = "its record was changed and cannot be read", f"`evalwright verify {run_id}` names the event"
        raise AuthorError(problem, where=f"run {run_id}", remedy=remedy) from None


def _subject(ledger: Ledger, run_id: str) -> Subject:
    promoted = _last(ledger, run_id, "submission.promoted")
    if promoted is None:
        raise AuthorError("nothing was promoted, so there is nothing to audit", where=f"run {run_id}")
    registered = _last(ledger, run_id, "task.registered")
    committed = _last(ledger, run_id, "seal.committed")
    if registered is None or committed is None:
        raise AuthorError(
            "its task or its seal was never recorded", where=f"run {run_id}", remedy="Start the run again"
        )
    return Subject(
        run_id=run_id,
        task=parse_task(ledger.get_tree(registered["blob"]), where=f"the task of run {run_id}"),
        submission=_frozen(ledger, run_id, "submission", promoted["digest"]),
        harness=parse_harness(_frozen(ledger, run_id, "harness", promoted["harness"])),
        recorded=float(promoted["value"]),
        seal=str(committed["seal"]),
    )


def audit(
    ledger: Ledger,
    subject: Subject,
    grader: Grader,
    keyring: Keyring,
    *,
    who: str,
    why: str,
    say: Callable[[str], None],
) -> Audit:
    """Verify, regrade, open the seal, score, compare; the result is recorded as `audit.finished`."""
    recorder = ledger.recorder(subject.run_id)
    say("verifying the chain")
    findings = ledger.verify(subject.run_id)
    chain = f"event {findings[0].seq}: {findings[0].problem}" if findings else "intact"
    say("grading the promoted submission again on validation")
    again = _graded(grader, subject, subject.harness, subject.task.validation)
    say("opening the sealed test split")
    recorder.append("seal.opened", {"seal": subject.seal, "who": who, "why": why})
    test = open_seal(ledger.seal(subject.seal), keyring)
    say("scoring it on the sealed test split")
    sealed = _graded(grader, subject, subject.harness, test)
    reference = _graded(grader, subject, subject.task.reference, test) if subject.task.reference else None
    result = _conclude(subject, chain, again, sealed, reference)
    recorder.append("audit.finished", result.as_json())
    return result


def _graded(grader: Grader, subject: Subject, harness: Harness, split: Split) -> Score:
    score = grader.grade(subject.submission, harness, split)
    if score.state is ScoreState.INFRASTRUCTURE_FAILED:
        raise EnvironmentFailure(score.detail, where=f"grading {split.name}", remedy="Run the audit again")
    return score


def _conclude(subject: Subject, chain: str, again: Score, sealed: Score, reference: Score | None) -> Audit:
    problems = [] if chain == "intact" else [f"the chain is broken at {chain}"]
    problems += _differences(subject, again)
    problems += _shortfall(subject, again, sealed, reference)
    gap = None if sealed.value is None else _signed_gap(subject, sealed.value)
    return Audit(
        run=subject.run_id,
        chain=chain,
        submission=subject.submission.digest,
        harness=subject.harness.digest,
        recorded=subject.recorded,
        validation=again.value,
        sealed=sealed.value,
        reference=reference.value if reference else None,
        gap=gap,
        holds=not problems,
        problems=tuple(problems),
    )


def _differences(subject: Subject, again: Score) -> list[str]:
    if again.value is None:
        return [f"graded again on validation: {again.state}: {again.detail}"]
    if abs(again.value - subject.recorded) > 1e-9:
        return [f"validation was recorded as {subject.recorded:.6g} and is {again.value:.6g} when graded again"]
    return []


def _shortfall(subject: Subject, again: Score, sealed: Score, reference: Score | None) -> list[str]:
    """What the sealed split tells against the self-score, chance allowed for."""
    if sealed.value is None:
        return [f"on the sealed test split: {sealed.state}: {sealed.detail}"]
    problems = []
    gap, chance = _signed_gap(subject, sealed.value), 2 * math.hypot(_error(again, subject), _error(sealed, subject))
    if gap > chance + 1e-9:
        problems.append(f"the sealed score is worse by {gap:.4g}; chance explains {chance:.4g} (two standard errors)")
    if reference is not None and sealed.accepted and not reference.accepted:
        problems.append(
            "the run's own harness accepts the submission on the sealed split, the reference harness does not"
        )
    return problems


def _error(score: Score, subject: Subject) -> float:
    name = subject.harness.metric.name
    return standard_error([case.metrics[name] for case in score.cases])


def _signed_gap(subject: Subject, sealed: float) -> float:
    sign = 1.0 if subject.harness.metric.direction == "maximize" else -1.0
    return sign * (subject.recorded - sealed)


def _last(ledger: Ledger, run_id: str, kind: str) -> dict[str, Any] | None:
    payload = None
    for event in ledger.events(run_id, kinds={kind}):
        payload = event.payload
    return None if payload is None else dict(json.loads(payload))


def _frozen(ledger: Ledger, run_id: str, kind: str, digest: str) -> FileTree:
    for event in ledger.events(run_id, kinds={f"{kind}.frozen"}):
        payload = json.loads(event.payload)
        if payload["digest"] == digest:
            return ledger.get_tree(payload["blob"])
    raise AuthorError(f"{kind} {digest[:12]} was never frozen", where=f"run {run_id}")

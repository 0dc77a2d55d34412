"""The basic audit of one run: chain verified, best submission regraded, the sealed test split opened and scored.

Everything is taken from the ledger (task, harness and submission as they were frozen), and every grading runs in fresh
containers. The agent's own harness scores the test split, and so does the task's reference harness where there is one:
the gap says how far the self-score was from the sealed one, the reference says whether the harness itself was right.

Opening the seal is an event, with who and why, and the last thing that can happen to a run: one that is under way or
could go on is refused, unless the audit is told to end it, and so is a seal that another run is using at the moment.
A chain that is broken is the verdict; then nothing is graded and the seal stays closed.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeVar

from evals.grading import Grader
from evals.harness import Harness, Metric, parse_harness
from evals.ledger import Ledger, Payload, Recorder
from evals.ledger.payload import finite
from evals.score import Score, ScoreState
from evals.splits import Keyring, Split, open_seal
from evals.stats import standard_error
from evals.task import Task, parse_task
from tools.errors import AuthorError, EnvironmentFailure, ToolError
from tools.files import FileTree

T = TypeVar("T")
FAR_BELOW = 0.2
"""As a share of the way from the worst value to acceptance: two harnesses that differ by more do not measure the same.
Both score the same outputs on the same cases, so chance explains nothing here; partial credit explains a little."""


class NothingPromoted(AuthorError):
    """The run has no submission that could be audited: the answer is no."""

    exit_code = 1


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
    validation: float | None = None
    """The same, graded again now."""
    sealed: float | None = None
    """The agent's harness on the sealed test split."""
    accepted: bool | None = None
    """Whether that harness accepts the submission there; a self-score can be true and not good enough."""
    reference: float | None = None
    """The task's reference harness on the sealed test split; None when the task has none, or it gave no result."""
    reference_accepted: bool | None = None
    gap: float | None = None
    """recorded - sealed, in the direction in which the metric improves: positive when the run promised too much."""
    verdict: Literal["holds", "refuted", "unchecked"] = "holds"
    """`unchecked`: nothing speaks against the self-score, but the reference harness could not be asked."""
    problems: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.verdict == "holds"

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "holds": self.holds}


@dataclass(frozen=True)
class Subject:
    """What of a run is audited, as the ledger froze it."""

    run_id: str
    task: Task
    submission: FileTree
    harness: Harness
    recorded: float
    seal: str
    is_over: bool
    """Whether the run has ended; else the audit ends it."""


@contextmanager
def auditing(ledger: Ledger, run_id: str, *, end: bool = False) -> Iterator[Subject]:
    """The run's subject, while nobody else drives the run; AuthorError when the run is not over and `end` is not given.

    Also when another run is under way on the same sealed cases.
    """
    with ledger.drive(run_id):
        is_over = ledger.run(run_id).state in ("finished", "failed")
        if not is_over and not end:
            raise AuthorError(
                "it is not over, and its test split stays sealed until it is",
                where=f"run {run_id}",
                remedy=f"Go on with it by `evalwright resume {run_id}`, or end it by `evalwright audit {run_id} --end`",
            )
        subject = subject_of(ledger, run_id, is_over=is_over)
        _refuse_seal_in_use(ledger, subject)
        yield subject


def subject_of(ledger: Ledger, run_id: str, *, is_over: bool) -> Subject:
    """Read the promoted submission and what it was graded with; AuthorError when there is none, or none to be read."""
    promoted, registered = _last(ledger, run_id, "submission.promoted"), _last(ledger, run_id, "task.registered")
    if promoted is None:
        raise NothingPromoted("nothing was promoted, so there is nothing to audit", where=f"run {run_id}")
    seal = seal_of(ledger, run_id)
    if registered is None or seal is None:
        problem, remedy = "its task or its seal was never recorded", "Start the run again"
        raise AuthorError(problem, where=f"run {run_id}", remedy=remedy)
    submission, harness = (
        _frozen(ledger, promoted, "submission", "digest"),
        _frozen(ledger, promoted, "harness", "harness"),
    )
    return Subject(
        run_id=run_id,
        task=_kept(ledger, registered, lambda tree: parse_task(tree, where="its task")),
        submission=_kept(ledger, submission, lambda tree: tree),
        harness=_kept(ledger, harness, parse_harness),
        recorded=promoted.number("value"),
        seal=seal,
        is_over=is_over,
    )


def seal_of(ledger: Ledger, run_id: str) -> str | None:
    """The seal that the run is judged on: the last one it committed to."""
    committed = _last(ledger, run_id, "seal.committed")
    return committed.text("seal") if committed else None


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
    if findings:
        first = findings[0]
        result = _broken(subject, f"event {first.seq}: {first.problem}" if first.seq else first.problem)
    else:
        say("grading the promoted submission again on validation")
        again = _graded(grader, subject, subject.harness, subject.task.validation)
        say("opening the sealed test split")
        test = _opened(ledger, subject, recorder, keyring, who=who, why=why)
        say("scoring it on the sealed test split")
        sealed = _graded(grader, subject, subject.harness, test)
        reference = _graded(grader, subject, subject.task.reference, test) if subject.task.reference else None
        result = _conclude(subject, again, sealed, reference)
    recorder.append("audit.finished", result.as_json())
    return result


def _refuse_seal_in_use(ledger: Ledger, subject: Subject) -> None:
    for other in ledger.runs():
        if other.id != subject.run_id and other.state == "running" and seal_of(ledger, other.id) == subject.seal:
            problem = f"run {other.id} is under way and is judged on the same sealed cases"
            raise AuthorError(problem, where=f"run {subject.run_id}", remedy="Wait until that run has ended")


def _opened(ledger: Ledger, subject: Subject, recorder: Recorder, keyring: Keyring, *, who: str, why: str) -> Split:
    """The test cases; that the run is over and the seal open is on the record before anybody sees them."""
    if not subject.is_over:
        recorder.append("run.finished", {"state": "finished", "reason": f"ended for an audit by {who}"})
    recorder.append("seal.opened", {"seal": subject.seal, "who": who, "why": why})
    return open_seal(ledger.seal(subject.seal), keyring)


def _graded(grader: Grader, subject: Subject, harness: Harness, split: Split) -> Score:
    score = grader.grade(subject.submission, harness, split)
    if score.state is ScoreState.INFRASTRUCTURE_FAILED:
        raise EnvironmentFailure(score.detail, where=f"grading {split.name}", remedy="Run the audit again")
    return score


def _broken(subject: Subject, chain: str) -> Audit:
    problems = (f"the chain is broken at {chain}", "so nothing was graded, and the seal stays closed")
    return Audit(
        run=subject.run_id,
        chain=chain,
        submission=subject.submission.digest,
        harness=subject.harness.digest,
        recorded=subject.recorded,
        verdict="refuted",
        problems=problems,
    )


def _conclude(subject: Subject, again: Score, sealed: Score, reference: Score | None) -> Audit:
    refuting = (
        _differences(subject, again) + _shortfall(subject, again, sealed) + _disagreement(subject, sealed, reference)
    )
    unchecked = _unchecked(reference)
    return Audit(
        run=subject.run_id,
        chain="intact",
        submission=subject.submission.digest,
        harness=subject.harness.digest,
        recorded=subject.recorded,
        validation=again.value,
        sealed=sealed.value,
        accepted=sealed.accepted,
        reference=reference.value if reference else None,
        reference_accepted=reference.accepted if reference and reference.value is not None else None,
        gap=None if sealed.value is None else finite(_signed_gap(subject, sealed.value)),
        verdict="refuted" if refuting else "unchecked" if unchecked else "holds",
        problems=(*refuting, *unchecked),
    )


def _differences(subject: Subject, again: Score) -> list[str]:
    if again.value is None:
        return [f"graded again on validation: {again.state}: {again.detail}"]
    if abs(again.value - subject.recorded) > 1e-9:
        return [f"validation was recorded as {subject.recorded:.6g} and is {again.value:.6g} when graded again"]
    return []


def _shortfall(subject: Subject, again: Score, sealed: Score) -> list[str]:
    """What the sealed split tells against the self-score, chance allowed for."""
    if sealed.value is None:
        return [f"on the sealed test split: {sealed.state}: {sealed.detail}"]
    gap, chance = _signed_gap(subject, sealed.value), 2 * math.hypot(_error(again, subject), _error(sealed, subject))
    if gap > chance + 1e-9:
        return [f"the sealed score is worse by {gap:.4g}; chance explains {chance:.4g} (two standard errors)"]
    return []


def _disagreement(subject: Subject, sealed: Score, reference: Score | None) -> list[str]:
    """Where the reference harness does not bear out what the run's own harness says of the same cases."""
    if reference is None or sealed.value is None or reference.state is ScoreState.HARNESS_INVALID:
        return []
    if reference.value is None:
        return [f"run on the sealed test split for the reference harness: {reference.state}: {reference.detail}"]
    if sealed.accepted and not reference.accepted:
        return ["the run's own harness accepts the submission on the sealed split, the reference harness does not"]
    assert subject.task.reference is not None
    own, other = _level(sealed.value, subject.harness.metric), _level(reference.value, subject.task.reference.metric)
    if own - other > FAR_BELOW:
        return [
            f"on the sealed split the run's own harness puts the submission at {own:.0%} of what it accepts, "
            f"the reference harness at {other:.0%}"
        ]
    return []


def _unchecked(reference: Score | None) -> list[str]:
    if reference is None or reference.state is not ScoreState.HARNESS_INVALID:
        return []
    problem = f"the reference harness gives no result on the sealed test split: {reference.detail}"
    return [f"{problem}; so whether the run's own harness is right was not checked. The task's author has to mend it"]


def _level(value: float, metric: Metric) -> float:
    """How far a value is on the way from the metric's worst to what is accepted: 0 to 1."""
    if metric.accepts(value):
        return 1.0
    # Halved, for the difference of two large bounds may be more than a float holds. Not accepted: the way is not 0.
    way = metric.accept / 2 - metric.worst / 2
    return min(1.0, max(0.0, (value / 2 - metric.worst / 2) / way))


def _error(score: Score, subject: Subject) -> float:
    name = subject.harness.metric.name
    return standard_error([case.metrics[name] for case in score.cases])


def _signed_gap(subject: Subject, sealed: float) -> float:
    sign = 1.0 if subject.harness.metric.direction == "maximize" else -1.0
    return sign * (subject.recorded - sealed)


def _last(ledger: Ledger, run_id: str, kind: str) -> Payload | None:
    last = None
    for event in ledger.events(run_id, kinds={kind}):
        last = event
    return None if last is None else last.fields


def _frozen(ledger: Ledger, promoted: Payload, kind: str, field: str) -> Payload:
    """The event that froze the submission or harness which the promotion names."""
    digest = promoted.text(field)
    for event in ledger.events(promoted.run_id, kinds={f"{kind}.frozen"}):
        if event.fields.text("digest") == digest:
            return event.fields
    raise _unreadable(promoted, f"{kind} {digest[:12]} was never frozen")


def _kept(ledger: Ledger, event: Payload, read: Callable[[FileTree], T]) -> T:
    """What `read` makes of the files that an event kept."""
    blob = event.text("blob")
    try:
        return read(ledger.get_tree(blob))
    except (AuthorError, ToolError) as error:
        raise _unreadable(event, f"what it kept cannot be read: {error}") from None


def _unreadable(event: Payload, problem: str) -> AuthorError:
    remedy = f"`evalwright verify {event.run_id}` names what was changed"
    return AuthorError(problem, where=f"run {event.run_id}, event {event.seq}", remedy=remedy)

"""The gate: what a harness must show before its scores count.

A harness is run against submissions whose verdict is known: right ones (the task's oracle, the harness's own variants)
must be accepted; worthless ones (nulls, broken ones, the harness's own probes) must be refused; the same outputs must
get the same scores three times. All of it runs in the solution and grading containers of evals/grading.py, so the gate
judges exactly what will be used later.

Evidence goes back to the agent. Messages of checks are quoted from the public split only, whose expectations the agent
knows; of the validation split only names and numbers are told.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from evals.grading import Grader
from evals.harness import Harness, HarnessError, parse_harness
from evals.score import Score, ScoreState
from evals.splits import Split
from evals.task import Task
from harness_builder.probes.broken import BROKEN
from harness_builder.probes.nulls import null_outputs
from harness_builder.qualification import Check, Qualification
from tools.files import FileTree

REPEATS = 3
BROKEN_SEC = 3.0
PARALLEL = 4


class Undecided(Exception):
    """Evidence could not be gathered; the message says why."""


@dataclass(frozen=True)
class Finding:
    """A check's verdict before it gets its name and its time."""

    verdict: Any
    evidence: str = ""
    remedy: str = ""


PASS = Finding("pass")


class Gate:
    """Qualifies harnesses for one task with one grader."""

    def __init__(self, task: Task, grader: Grader) -> None:
        self.task = task
        self.grader = grader

    def qualify(self, tree: FileTree) -> Qualification:
        """Run the checks, cheap ones first; stop early only where the rest would mean nothing."""
        started = time.monotonic()
        checks = tuple(self._checks(tree))
        return Qualification(tree.digest, checks, time.monotonic() - started)

    def _checks(self, tree: FileTree) -> Iterable[Check]:
        try:
            harness = parse_harness(tree)
        except HarnessError as error:
            yield Check("Q0", "contract kept", "fail", str(error))
            return
        yield Check("Q0", "contract kept", "pass")
        yield _timed("Q14", "requirements covered", lambda: self._requirements(harness))
        right = _timed("Q2", "correct submissions accepted", lambda: self._accepts(harness))
        yield right
        if right.verdict != "pass":
            return  # a harness that refuses what is right refuses what is wrong too, which would prove nothing
        trials = (
            ("Q1", "worthless submissions refused", self._refuses_nulls),
            ("Q4", "own probes refused", self._refuses_probes),
            ("Q6", "same outputs, same scores", self._repeats),
            ("Q11", "broken submissions fail", self._fails_broken),
        )
        with ThreadPoolExecutor(len(trials)) as pool:
            yield from pool.map(lambda trial: _timed(trial[0], trial[1], lambda: trial[2](harness)), trials)

    def _requirements(self, harness: Harness) -> Finding:
        wanted = [requirement.id for requirement in self.task.ours.requirements]
        absent = [name for name in wanted if name not in harness.requirements]
        unknown = [name for name in harness.requirements if name not in wanted]
        if absent:
            return Finding(
                "fail", f"No check answers for {', '.join(absent)}.", "Map each in [requirements] of harness.toml."
            )
        if unknown:
            return Finding(
                "fail", f"The task has no requirement {', '.join(unknown)}.", f"Its ids are {', '.join(wanted)}."
            )
        return PASS

    def _accepts(self, harness: Harness) -> Finding:
        submissions = self._right_submissions(harness)
        if not submissions:
            return self._accepts_expectations(harness)
        for split in (self.task.public, self.task.validation):
            scores = self._grade_all(submissions, harness, split)
            for name, score in scores.items():
                _must_be_decided(score, f"{name} on {split.name}")
                if not score.accepted:
                    return Finding(
                        "fail", _refusal(name, score, split), "Accept it: loosen the check or mend the metric."
                    )
        return PASS

    def _grade_all(self, submissions: Mapping[str, FileTree], harness: Harness, split: Split) -> dict[str, Score]:
        return _parallel(submissions, lambda tree: self.grader.grade(tree, harness, split))

    def _accepts_expectations(self, harness: Harness) -> Finding:
        """Without any correct submission, the public expectations stand in for its outputs."""
        score = self.grader.judge(_expectations(self.task.public), harness, self.task.public)
        _must_be_decided(score, "the public expectations as outputs")
        if score.accepted:
            return PASS
        return Finding(
            "fail",
            _refusal("the list of public expectations, taken as outputs,", score, self.task.public),
            "Accept it, or write variants/<name>/ with a correct reproduce.sh.",
        )

    def _right_submissions(self, harness: Harness) -> dict[str, FileTree]:
        submissions = {f"variants/{name}": tree for name, tree in harness.variants.items()}
        if self.task.oracle is not None:
            submissions["the author's solution"] = self.task.oracle
        return submissions

    def _right_outputs(self, harness: Harness, split: Split) -> dict[str, Any]:
        """Outputs known to be right: what a correct submission gives, else the public expectations."""
        submissions = self._right_submissions(harness)
        if not submissions:
            return _expectations(self.task.public)
        collected = self.grader.collect(next(reversed(submissions.values())), split)
        if not collected.outputs:
            raise Undecided(f"a correct submission gave no outputs on the {split.name} split: {collected.failure}")
        return dict(collected.outputs)

    def _refuses_nulls(self, harness: Harness) -> Finding:
        validation = self.task.validation
        known = list(self._right_outputs(harness, self.task.public).values())
        nulls = null_outputs([case.id for case in validation.cases], known)
        scores = _parallel(nulls, lambda outputs: self.grader.judge(outputs, harness, validation))
        return _refused(
            scores, "A submission that knows nothing must not pass: compare each output with its expectation."
        )

    def _refuses_probes(self, harness: Harness) -> Finding:
        if not harness.probes:
            return Finding("not_applicable", "The harness brings no probes of its own.")
        scores = self._grade_all(harness.probes, harness, self.task.validation)
        return _refused(scores, "Your own probe passes: the metric or a check must tell it from a correct submission.")

    def _repeats(self, harness: Harness) -> Finding:
        split = self.task.validation if self._right_submissions(harness) else self.task.public
        runs = dict.fromkeys(map(str, range(REPEATS)), self._right_outputs(harness, split))
        scores = list(_parallel(runs, lambda outputs: self.grader.judge(outputs, harness, split)).values())
        for score in scores:
            _must_be_decided(score, "a repeated grading")
        if not all(score.same_verdict(scores[0]) for score in scores):
            values = ", ".join(f"{score.value:.6g}" for score in scores if score.value is not None)
            return Finding(
                "fail",
                f"The same outputs got different scores: {values}.",
                "Remove randomness, time and state from it.",
            )
        return PASS

    def _fails_broken(self, harness: Harness) -> Finding:
        """What crashes, hangs, stays silent or writes rubbish must end as a failed submission, never as a score."""
        impatient = replace(self.grader, submission_sec=BROKEN_SEC)
        scores = _parallel(BROKEN, lambda tree: impatient.grade(tree, harness, self.task.public))
        for name, score in scores.items():
            if score.state is ScoreState.INFRASTRUCTURE_FAILED:
                raise Undecided(score.detail)
            if score.state is not ScoreState.SUBMISSION_FAILED:
                return Finding("fail", f"A submission that does not deliver ({name}) got the state {score.state}.")
        return PASS


def _timed(check_id: str, title: str, look: Callable[[], Finding]) -> Check:
    started = time.monotonic()
    try:
        finding = look()
    except Undecided as reason:
        finding = Finding("unknown", str(reason), "The harness must deliver a result for any outputs: see the message.")
    return Check(
        check_id, title, finding.verdict, finding.evidence, finding.remedy, round(time.monotonic() - started, 3)
    )


def _parallel(items: Mapping[str, Any], act: Callable[[Any], Score]) -> dict[str, Score]:
    with ThreadPoolExecutor(PARALLEL) as pool:
        return dict(zip(items, pool.map(act, items.values()), strict=True))


def _expectations(split: Split) -> dict[str, Any]:
    return {case.id: case.expected for case in split.cases}


def _must_be_decided(score: Score, what: str) -> None:
    if score.state in (ScoreState.HARNESS_INVALID, ScoreState.INFRASTRUCTURE_FAILED):
        raise Undecided(f"{what}: {score.state}: {score.detail}")


def _refused(scores: Mapping[str, Score], remedy: str) -> Finding:
    for name, score in scores.items():
        _must_be_decided(score, f"the submission {name!r}")
    accepted = [name for name, score in scores.items() if score.accepted]
    if accepted:
        return Finding("fail", f"Accepted, and it must not be: {', '.join(accepted)}.", remedy)
    return PASS


def _refusal(name: str, score: Score, split: Split) -> str:
    if score.state is ScoreState.SUBMISSION_FAILED:
        return f"{name} fails on the {split.name} split: {score.detail}. {score.log[-500:]}"
    failed = f", failed checks: {', '.join(score.failed_checks)}" if score.failed_checks else ""
    text = f"{name} is refused on the {split.name} split: value {score.value:.6g}{failed}."
    if split.name == "public" and score.messages:
        text += f" {next(iter(score.messages.values()))[-600:]}"
    return text

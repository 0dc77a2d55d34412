"""The gate: what a harness must show before its scores count.

A harness is run against submissions whose verdict is known: right ones (the task's oracle, the harness's own variants)
must be accepted; worthless ones (nulls, broken ones, the harness's own probes) must be refused; the same outputs must
get the same scores three times. All of it runs in the solution and grading containers of evals/grading.py, so the gate
judges exactly what will be used later.

Evidence goes back to the agent. What a harness says (messages of checks, exceptions, names it makes up) is quoted from
the public split only, whose expectations the agent knows; of the validation split only numbers and declared names are
told. What goes wrong there is looked for on the public split, so that something can be quoted.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Event, Semaphore
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
PARALLEL = max(2, min(8, os.cpu_count() or 2))
"""Gradings at the same time, over all checks: more than the processors can serve would run into their time limits."""


class Undecided(Exception):
    """Evidence could not be gathered; the message says why."""


@dataclass(frozen=True)
class Finding:
    """A check's verdict before it gets its name and its time."""

    verdict: Any
    evidence: str = ""
    remedy: str = ""


PASS = Finding("pass")
UNTOLD = "what it says is not passed on, since it could quote expectations"


class Gate:
    """Qualifies harnesses for one task with one grader."""

    def __init__(self, task: Task, grader: Grader) -> None:
        self.task = task
        self.grader = grader
        self._stopped, self._slots = Event(), Semaphore(PARALLEL)

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
            try:
                yield from pool.map(lambda trial: _timed(trial[0], trial[1], lambda: trial[2](harness)), trials)
            except BaseException:
                self._stopped.set()  # or Ctrl-C would wait for all that is still queued
                raise

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
                _must_be_decided(score, name, split, harness)
                if not score.accepted:
                    remedy = "Accept it: loosen the check or mend the metric."
                    return Finding("fail", _refusal(name, score, split, harness), remedy)
        return PASS

    def _grade_all(self, submissions: Mapping[str, FileTree], harness: Harness, split: Split) -> dict[str, Score]:
        return self._parallel(submissions, lambda tree: self.grader.grade(tree, harness, split))

    def _accepts_expectations(self, harness: Harness) -> Finding:
        """Without any correct submission, the public expectations stand in for its outputs."""
        score = self.grader.judge(_expectations(self.task.public), harness, self.task.public)
        _must_be_decided(score, "the public expectations as outputs", self.task.public, harness)
        if score.accepted:
            return PASS
        return Finding(
            "fail",
            _refusal("the list of public expectations, taken as outputs,", score, self.task.public, harness),
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
        known = list(self._right_outputs(harness, self.task.public).values())

        def nulls(split: Split) -> dict[str, Any]:
            return null_outputs([case.id for case in split.cases], known)

        def judge(outputs: Any, split: Split) -> Score:
            return self.grader.judge(outputs, harness, split)

        remedy = "A submission that knows nothing must not pass: compare each output with its expectation."
        return self._refused(harness, nulls, judge, remedy)

    def _refuses_probes(self, harness: Harness) -> Finding:
        if not harness.probes:
            return Finding("not_applicable", "The harness brings no probes of its own.")

        def grade(tree: Any, split: Split) -> Score:
            return self.grader.grade(tree, harness, split)

        remedy = "Your own probe passes: the metric or a check must tell it from a correct submission."
        return self._refused(harness, lambda _: harness.probes, grade, remedy)

    def _refused(
        self,
        harness: Harness,
        wrong: Callable[[Split], Mapping[str, Any]],
        score: Callable[[Any, Split], Score],
        remedy: str,
    ) -> Finding:
        """Whether all wrong submissions (by name, made for a split) are refused on validation."""
        public, validation = self.task.public, self.task.validation
        scores = self._parallel(wrong(validation), lambda each: score(each, validation))
        for name, result in scores.items():
            what = f"the submission {name!r}"
            if result.state is ScoreState.HARNESS_INVALID:
                _must_be_decided(score(wrong(public)[name], public), what, public, harness)
            _must_be_decided(result, what, validation, harness)
        accepted = [name for name, result in scores.items() if result.accepted]
        if accepted:
            return Finding("fail", f"Accepted, and it must not be: {', '.join(accepted)}.", remedy)
        return PASS

    def _repeats(self, harness: Harness) -> Finding:
        split = self.task.validation if self._right_submissions(harness) else self.task.public
        runs = dict.fromkeys(map(str, range(REPEATS)), self._right_outputs(harness, split))
        scores = list(self._parallel(runs, lambda outputs: self.grader.judge(outputs, harness, split)).values())
        for score in scores:
            _must_be_decided(score, "a repeated grading", split, harness)
        if not all(score.same_verdict(scores[0]) for score in scores):
            values = ", ".join(f"{score.value:.6g}" for score in scores if score.value is not None)
            return Finding(
                "fail",
                f"The same outputs got different scores: {values}.",
                "Remove randomness, time and state from it.",
            )
        return PASS

    def _parallel(self, items: Mapping[str, Any], act: Callable[[Any], Score]) -> dict[str, Score]:
        def unless_stopped(item: Any) -> Score:
            with self._slots:
                if self._stopped.is_set():
                    raise Undecided("the qualification was stopped")
                return act(item)

        with ThreadPoolExecutor(PARALLEL) as pool:
            return dict(zip(items, pool.map(unless_stopped, items.values()), strict=True))

    def _fails_broken(self, harness: Harness) -> Finding:
        """What crashes, hangs, stays silent or writes rubbish must end as a failed submission, never as a score."""
        impatient = replace(self.grader, submission_sec=BROKEN_SEC)
        scores = self._parallel(BROKEN, lambda tree: impatient.grade(tree, harness, self.task.public))
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


def _expectations(split: Split) -> dict[str, Any]:
    return {case.id: case.expected for case in split.cases}


def _must_be_decided(score: Score, what: str, split: Split, harness: Harness) -> None:
    if score.state is ScoreState.INFRASTRUCTURE_FAILED:
        raise Undecided(f"{what} on {split.name}: {score.state}: {score.detail}")
    if score.state is ScoreState.HARNESS_INVALID:
        # The one message that is wholly ours: it says no more than the harness's own time limit.
        late = score.detail == f"grading ran longer than {harness.grading_sec:g} s"
        told = score.detail if late or split.name == "public" else UNTOLD
        raise Undecided(f"{what} on {split.name}: {score.state}: {told}")


def _refusal(name: str, score: Score, split: Split, harness: Harness) -> str:
    public = split.name == "public"
    if score.state is ScoreState.SUBMISSION_FAILED:
        return f"{name} fails on the {split.name} split{f': {score.detail}. {score.log[-500:]}' if public else '.'}"
    # A harness can make up names of checks from what it reads; those in harness.toml were there before.
    declared = {check for checks in harness.requirements.values() for check in checks}
    names = [check for check in score.failed_checks if public or check in declared]
    failed = f", failed checks: {', '.join(names)}" if names else ""
    text = f"{name} is refused on the {split.name} split: value {score.value:.6g}{failed}."
    if public and score.messages:
        text += f" {next(iter(score.messages.values()))[-600:]}"
    return text

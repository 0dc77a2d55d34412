"""What the checks of one qualification work with: the harness, right outputs, and a way to have outputs judged.

Right outputs come from the task's oracle, else from the harness's last variant, else they are the expectations
themselves. Everything judged is remembered, so that a check can look at what the others had judged.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from evals.grading import PLAIN, Circumstances, Collected, Grader, Grading
from evals.harness import Harness
from evals.score import Score, ScoreState
from evals.splits import Case, Split
from evals.task import Task
from harness_builder.finding import Undecided
from harness_builder.leeway import Leeway, allows_a_share, stated_leeway
from harness_builder.places import Place, places
from harness_builder.probes.degraded import mixed, wrong_everywhere
from harness_builder.probes.numbers import inexact
from harness_builder.shapes import WHOLE, Outputs, fields
from harness_builder.slots import Slots
from harness_builder.told import fault
from harness_builder.trial import Trial
from harness_builder.truth import Tolerance, barely_wrong, differs_much, plainly_wrong, task_tolerance
from tools.files import FileTree
from tools.sandbox import BoxLost

WORTH_A_BOX = 4
"""Gradings for which a box of their own is worth its start."""
MACHINE_FAILED = "The machine failed, not the harness: run it again."


@dataclass
class Evidence:
    """One harness of one task before the gate. `grader` uses warm boxes, `fresh` opens a new one for every grading."""

    task: Task
    harness: Harness
    grader: Grader
    fresh: Grader
    slots: Slots
    candid: bool = False
    """Whether what is said may quote the author's solution: to the author, not to an agent."""
    known_test: tuple[Split, ...] = ()
    """The test split, where its author has the gate look at it."""
    outputs_of: dict[tuple[str, str], Collected] = field(default_factory=dict)
    """What submissions gave, by digest and split; lives longer than one qualification."""
    scores_of: dict[str, Score] = field(default_factory=dict)
    """What outputs scored on validation, by their JSON."""
    judged: list[tuple[Trial, Score]] = field(default_factory=list)
    """All trials on the validation split so far."""

    @property
    def public(self) -> Split:
        return self.task.public

    @property
    def validation(self) -> Split:
        return self.task.validation

    @cached_property
    def tolerance(self) -> Tolerance:
        return task_tolerance(self.task)

    @cached_property
    def leeway(self) -> Leeway:
        return stated_leeway(self.task.instruction, self.fields)

    # ---- what is right

    @cached_property
    def right_submissions(self) -> dict[str, FileTree]:
        submissions = {f"variants/{name}": tree for name, tree in self.harness.variants.items()}
        if self.task.oracle is not None:
            submissions["the author's solution"] = self.task.oracle
        return submissions

    def right(self, split: Split) -> Outputs:
        """Outputs known to be right; Undecided when a correct submission gives none."""
        if not self.right_submissions:
            return {case.id: case.expected for case in split.cases}
        collected = self.collect(next(reversed(self.right_submissions.values())), split)
        if not collected.outputs:
            raise Undecided(f"a correct submission gave no outputs on the {split.name} split: {collected.failure}")
        return dict(collected.outputs)

    def right_score(self, split: Split) -> Score:
        return self.decided(self.judge(self.right(split), split), "a correct submission", split)

    @cached_property
    def right_outputs(self) -> Outputs:
        """Those of validation, which nearly every check starts from."""
        return self.right(self.validation)

    @cached_property
    def mixed_outputs(self) -> Outputs:
        """Right, nearly right, misplaced and wrong ones, on which whatever varies shows."""
        return mixed(self.right_outputs, self.tolerance.most)

    @cached_property
    def inexact_outputs(self) -> Outputs:
        """Right ones but for their numbers, which are about as far off as they may be."""
        return inexact(self.right_outputs, self.tolerance.most)

    @cached_property
    def reached(self) -> Score:
        """What they score."""
        return self.right_score(self.validation)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields of right outputs on validation."""
        return fields(list(self.right_outputs.values()))

    @cached_property
    def places(self) -> list[Place]:
        """What can be wrong by itself in right outputs on validation."""
        return places(list(self.right_outputs.values()))

    @cached_property
    def cases(self) -> dict[str, Case]:
        """Validation cases for which a right output is known, by id."""
        return {case.id: case for case in self.validation.cases if case.id in self.right_outputs}

    # ---- what is wrong

    def certainly_wrong(self, outputs: Mapping[str, Any]) -> set[str]:
        """Ids of the validation cases whose output is wrong beyond doubt; a missing one is."""
        return {name for name, case in self.cases.items() if self._is_wrong(case, outputs)}

    def _is_wrong(self, case: Case, outputs: Mapping[str, Any]) -> bool:
        if case.id not in outputs:
            return True
        verdict = self._verdict(case, outputs[case.id])
        if verdict is None and not self.expectations_speak:
            return differs_much(self.right_outputs[case.id], outputs[case.id])
        return verdict is True

    def barely_wrong(self, sign: int) -> Outputs:
        """Right outputs with every number just so far off that it is beyond doubt, where such a thing can be said."""
        barely = {
            name: barely_wrong(case.expected, self.right_outputs[name], self.tolerance, sign)
            for name, case in self.cases.items()
        }
        return self._with_right(self.leeway.loosely, self.right_outputs | barely)

    def strict_part(self, outputs: Mapping[str, Any]) -> Outputs:
        """Outputs without what is wrong in fields that match loosely, or in a share of the cases: it may pass."""
        return self._with_right(self.leeway.loosely | self._left_to_shares, outputs)

    def must_be_refused(self, outputs: Mapping[str, Any]) -> bool:
        """Whether some case is wrong beyond doubt, or so many that no share can be meant."""
        too_many = self.leeway.too_many_wrong * len(self.cases)
        return bool(self.certainly_wrong(self.strict_part(outputs))) or (
            len(self.certainly_wrong(outputs)) >= max(1, too_many)
        )

    @cached_property
    def _left_to_shares(self) -> frozenset[str]:
        """Fields that only checks see, and only of requirements that allow a share of the cases to be wrong."""
        mapped: dict[bool, set[str]] = {True: set(), False: set()}
        for each in self.task.ours.requirements:
            mapped[allows_a_share(each.text)] |= set(self.harness.requirements.get(each.id, ()))
        of_shares = mapped[True] - mapped[False]
        places = [place for place in self.places if place.is_field and place.steps] if of_shares else []
        trials = [wrong_everywhere(self.right_outputs, place) for place in places]
        found = []
        for place, trial in zip(places, trials, strict=True):
            score, wrong = self.try_all([trial])[trial.name], self.certainly_wrong(trial.outputs)
            red = set(score.failed_checks)
            if red and red <= of_shares and self.unnoticed(score, wrong) == wrong:
                found.append(place.steps[0])
        return frozenset(found)

    def _with_right(self, fields: Collection[str], outputs: Mapping[str, Any]) -> Outputs:
        if WHOLE in fields:
            return self.right_outputs

        def mended(output: Any, right: Any) -> Any:
            if not isinstance(output, Mapping) or not isinstance(right, Mapping):
                return output
            return {**output, **{key: part for key, part in right.items() if key in fields}}

        return {name: mended(output, self.right_outputs.get(name)) for name, output in outputs.items()}

    def contradicts(self, case: str, owner: str) -> bool:
        """Whether a case's right output is certainly wrong by the expectation of another case, its owner."""
        if case not in self.cases or owner not in self.cases:
            return False
        expected = self.cases[owner].expected
        if self.expectations_speak:
            return self._verdict(self.cases[owner], self.right_outputs[case]) is True
        return bool(expected != self.cases[case].expected)

    @cached_property
    def expectations_speak(self) -> bool:
        """Whether expectations say by themselves that right outputs are right; else only difference is to be seen."""
        return any(self._verdict(case, self.right_outputs[case.id]) is False for case in self.cases.values())

    def _verdict(self, case: Case, output: Any) -> bool | None:
        """Whether its expectation says that an output is plainly wrong, for all ways to write it."""
        expected, right, output = map(self.leeway.plain, (case.expected, self.right_outputs[case.id], output))
        return plainly_wrong(expected, right, output, self.tolerance)

    def unnoticed(self, score: Score, wrong: Iterable[str]) -> set[str]:
        """Of the wrong cases those that the metric scores no worse than right ones; none of a score that is none."""
        if score.state is not ScoreState.SCORED:
            return set()
        now, then = metrics_by_case(score, self.harness), metrics_by_case(self.reached, self.harness)
        metric = self.harness.metric
        return {name for name in wrong if then[name] != metric.worst and not metric.better(then[name], now[name])}

    def took_no_notice(self, score: Score) -> bool:
        """Whether the outputs were accepted with a value as good as that of right ones."""
        right = self.reached.value
        return score.accepted and score.value is not None and right is not None and not (
            self.harness.metric.better(right, score.value)
        )  # fmt: skip

    # ---- having things judged

    def collect(self, submission: FileTree, split: Split) -> Collected:
        """A submission's outputs; run once for each split, in a fresh box."""
        key = submission.digest, split.digest
        if key not in self.outputs_of:
            self.outputs_of[key] = self.run(submission, split, self.fresh)
        return self.outputs_of[key]

    def run(self, submission: FileTree, split: Split, grader: Grader) -> Collected:
        """What a submission leaves; Undecided when its box was lost through no fault of its own."""
        try:
            return grader.collect(submission, split)
        except BoxLost as lost:
            raise Undecided(str(lost), MACHINE_FAILED) from None

    def judge(self, outputs: Mapping[str, Any], split: Split, under: Circumstances = PLAIN) -> Score:
        return self.grader.judge(outputs, self.harness, split, under)

    def judge_each(self, gradings: Sequence[Grading]) -> list[Score]:
        """Many at once, shared out to as many warm boxes as there are slots."""
        count = min(self.slots.count, -(-len(gradings) // WORTH_A_BOX))
        parts = [gradings[start::count] for start in range(count)]
        done = self.slots.each(parts, lambda part: self.grader.judge_each(part, self.harness))
        return [done[place % len(parts)][place // len(parts)] for place in range(len(gradings))]

    def try_all(self, trials: Sequence[Trial]) -> dict[str, Score]:
        """Have trials judged on validation; by name. What another check has had judged is not judged again."""
        keys = [json.dumps(list(trial.outputs.items())) for trial in trials]
        new = {key: trial for key, trial in zip(keys, trials, strict=True) if key not in self.scores_of}
        gradings = [Grading(trial.outputs, self.validation) for trial in new.values()]
        for key, score in zip(new, self.judge_each(gradings), strict=True):
            no_infrastructure_failure(score)
            self.scores_of[key] = score
        scores = [self.scores_of[key] for key in keys]
        self.remember(trials, scores)
        return {trial.name: score for trial, score in zip(trials, scores, strict=True)}

    def remember(self, trials: Sequence[Trial], scores: Sequence[Score]) -> None:
        self.judged.extend(zip(trials, scores, strict=True))

    def decide_all(self, trials: Sequence[Trial]) -> dict[str, Score]:
        """As `try_all`; Undecided when the harness had no result for a well-formed trial, in a fresh box neither."""
        scores = self.try_all(trials)
        for trial in trials:
            if trial.formed and scores[trial.name].state is ScoreState.HARNESS_INVALID:
                # A machine that was busy for a moment is no fault of the harness; one that is at fault fails again.
                again = self.fresh.judge(trial.outputs, self.harness, self.validation)
                scores[trial.name] = self.decided(again, f"the outputs {trial.name!r}", self.validation)
        return scores

    def decided(self, score: Score, what: str, split: Split) -> Score:
        """The score, when it is one or a failed submission; else Undecided."""
        no_infrastructure_failure(score)
        if score.state is ScoreState.HARNESS_INVALID:
            raise Undecided(f"{what} on {split.name}: {score.state}: {fault(score, self.harness, split)}")
        return score


def metrics_by_case(score: Score, harness: Harness) -> dict[str, float]:
    """The harness's metric for every case."""
    return {case.id: case.metrics[harness.metric.name] for case in score.cases}


def no_infrastructure_failure(score: Score) -> None:
    if score.state is ScoreState.INFRASTRUCTURE_FAILED:
        raise Undecided(score.detail, MACHINE_FAILED)

"""Q2: what is right must be accepted, however it is written and whoever wrote it."""

from collections.abc import Mapping
from typing import Any

from evals.grading import Grading
from evals.score import Score
from evals.splits import Split
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.rewrites import rewrites
from harness_builder.shapes import is_number
from harness_builder.told import refusal

ID, TITLE = "Q2", "correct submissions accepted"


def look(evidence: Evidence) -> Finding:
    for split in (evidence.public, evidence.validation):
        for part in (_submissions, _expectations):
            finding = part(evidence, split)
            if finding.verdict != "pass":
                return finding
    return _rewritten(evidence)


def _submissions(evidence: Evidence, split: Split) -> Finding:
    names = list(evidence.right_submissions)
    collected = evidence.slots.each(names, lambda name: evidence.collect(evidence.right_submissions[name], split))
    for name, each in zip(names, collected, strict=True):
        if each.failure:
            said = f": {each.failure}. {each.log[-500:]}" if split.name == "public" else "."
            return failed(f"{name} fails on the {split.name} split{said}", "Mend that submission.")
        score = evidence.decided(evidence.judge(each.outputs, split), name, split)
        if not score.accepted:
            return failed(refusal(name, score, evidence.harness, split), _remedy(evidence, score))
    return passed()


def _are_outputs(evidence: Evidence, split: Split) -> bool:
    right = evidence.right(split)
    return all(_alike(case.expected, right.get(case.id)) for case in split.cases)


def _alike(expected: Any, output: Any) -> bool:
    """Whether an expectation is written as an output is, value for value."""
    if isinstance(expected, Mapping):
        return isinstance(output, Mapping) and expected.keys() == output.keys() and all(
            _alike(expected[key], output[key]) for key in expected
        )  # fmt: skip
    if isinstance(expected, list):
        return isinstance(output, list)
    return is_number(expected) == is_number(output) and isinstance(expected, str) == isinstance(output, str)


def _remedy(evidence: Evidence, score: Score) -> str:
    if score.value is not None and all(score.checks.values()):
        return "Accept it: its checks pass, so mend the metric, its direction or its bar."
    if score.value is not None and evidence.harness.metric.accepts(score.value):
        return "Accept it: loosen the failed checks."
    return "Accept it: loosen the failed checks, and mend the metric, its direction or its bar."


def _expectations(evidence: Evidence, split: Split) -> Finding:
    """Without the author's submission, expectations that are written as outputs are must be accepted as such.

    A variant is the agent's, and may be wrong in the same way as its harness.
    """
    if evidence.task.oracle is not None or not _are_outputs(evidence, split):
        return passed()
    what = f"the list of {split.name} expectations, taken as outputs,"
    expected = {case.id: case.expected for case in split.cases}
    score = evidence.decided(evidence.judge(expected, split), what, split)
    if score.accepted:
        return passed()
    remedy = "Accept it, or write variants/<name>/ with a correct reproduce.sh."
    if evidence.harness.variants:
        remedy = "The expectations decide what is right: mend the harness, and its variants."
    return failed(refusal(what, score, evidence.harness, split), remedy)


def _rewritten(evidence: Evidence) -> Finding:
    trials = rewrites(evidence.right_outputs, evidence.cases, evidence.tolerance, evidence.leeway)
    scores = evidence.judge_each([Grading(trial.outputs, evidence.validation) for trial in trials])
    for trial, score in zip(trials, scores, strict=True):
        evidence.decided(score, trial.name, evidence.validation)
        if not score.accepted:
            remedy = "Compare numbers with the tolerance the task states, and texts and lists as loosely as it says."
            return failed(refusal(trial.name, score, evidence.harness, evidence.validation), remedy)
    return passed(f"{len(evidence.right_submissions)} submissions and {len(trials)} ways to write them accepted.")

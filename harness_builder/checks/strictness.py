"""Q2: what is right must be accepted, however it is written and whoever wrote it."""

from evals.grading import Grading
from evals.score import Score
from evals.splits import Split
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.rewrites import rewrites
from harness_builder.told import refusal

ID, TITLE = "Q2", "correct submissions accepted"


def look(evidence: Evidence) -> Finding:
    for split in (evidence.public, evidence.validation):
        finding = _submissions(evidence, split) if evidence.right_submissions else _expectations(evidence, split)
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


def _remedy(evidence: Evidence, score: Score) -> str:
    if score.value is not None and all(score.checks.values()):
        return "Accept it: its checks pass, so mend the metric, its direction or its bar."
    if score.value is not None and evidence.harness.metric.accepts(score.value):
        return "Accept it: loosen the failed checks."
    return "Accept it: loosen the failed checks, and mend the metric, its direction or its bar."


def _expectations(evidence: Evidence, split: Split) -> Finding:
    """Without any correct submission, the expectations stand in for its outputs."""
    what = f"the list of {split.name} expectations, taken as outputs,"
    score = evidence.decided(evidence.judge(evidence.right(split), split), what, split)
    if score.accepted:
        return passed()
    remedy = "Accept it, or write variants/<name>/ with a correct reproduce.sh."
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

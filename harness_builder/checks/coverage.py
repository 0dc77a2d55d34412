"""Q14: every requirement is answered for by a check that goes red when it is violated."""

from evals.score import Score, ScoreState
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.degraded import with_wrong_place
from harness_builder.trial import Trial

ID, TITLE = "Q14", "requirements covered"


def mapped(evidence: Evidence) -> Finding:
    """Whether the table of requirements is complete; needs no run."""
    wanted = [requirement.id for requirement in evidence.task.ours.requirements]
    absent = [name for name in wanted if name not in evidence.harness.requirements]
    unknown = [name for name in evidence.harness.requirements if name not in wanted]
    if absent:
        return failed(f"No check answers for {', '.join(absent)}.", "Map each in [requirements] of harness.toml.")
    if unknown:
        return failed(f"The task has no requirement {', '.join(unknown)}.", f"Its ids are {', '.join(wanted)}.")
    return passed()


def look(evidence: Evidence) -> Finding:
    """Runs last: all well-formed wrong outputs tried before are violating submissions."""
    violations = [
        (trial, score)
        for trial, score in evidence.judged
        if trial.formed and score.state is ScoreState.SCORED and trial.outputs != evidence.right_outputs
    ]
    for requirement, checks in evidence.harness.requirements.items():
        if not any(_is_red(score, checks) for _, score in violations):
            told = (
                f"No wrong outputs turned a check of {requirement} red ({', '.join(checks)}; {len(violations)} tried)."
            )
            return failed(told, f"Have them fail when {requirement} is violated, by outputs of the right form too.")
    return _fields_covered(evidence)


def _fields_covered(evidence: Evidence) -> Finding:
    """Every field that an expectation speaks of turns some requirement's check red when it alone is wrong."""
    names = [*dict.fromkeys(name for names in evidence.harness.requirements.values() for name in names)]
    trials = [
        Trial(f"{place.name} wrong everywhere", with_wrong_place(evidence.right_outputs, place))
        for place in evidence.places
        if place.is_field
    ]
    scores = evidence.decide_all(trials)
    for field, trial in zip(evidence.fields, trials, strict=True):
        if evidence.certainly_wrong(trial.outputs) and not _is_red(scores[trial.name], names):
            told = f"No requirement's check goes red when {field} is wrong in every case."
            return failed(told, "Map a check that looks at it to the requirement that is about it.")
    return passed(f"Each of {len(evidence.harness.requirements)} goes red for some wrong outputs.")


def _is_red(score: Score, checks: object) -> bool:
    return any(name in checks for name in score.failed_checks)  # type: ignore[operator]

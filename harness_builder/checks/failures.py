"""Q11: what does not deliver gets no score, and half a delivery no full one."""

from dataclasses import replace

from evals.grading import Circumstances
from evals.score import Score, ScoreState
from harness_builder.evidence import Evidence, Trial, no_infrastructure_failure
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.broken import BROKEN
from harness_builder.probes.degraded import without_some

ID, TITLE = "Q11", "broken submissions fail"
BROKEN_SEC = 3.0
PARTIAL = 0.5
REMEDY = "Look every case up in the outputs; what is missing or of the wrong type is wrong, and no exception hides it."


def look(evidence: Evidence) -> Finding:
    for part in (_broken, _partial, _killed):
        finding = part(evidence)
        if finding.verdict == "fail":
            return finding
    return passed(f"{len(BROKEN)} broken and two partial submissions; two gradings killed half-way.")


def _broken(evidence: Evidence) -> Finding:
    """What crashes, hangs, stays silent or writes rubbish must end as a failed submission, never as a score."""
    impatient = replace(evidence.fresh, submission_sec=BROKEN_SEC)

    def grade(name: str) -> Score:
        return impatient.grade(BROKEN[name], evidence.harness, evidence.public)

    for name, score in zip(BROKEN, evidence.slots.each(BROKEN, grade), strict=True):
        no_infrastructure_failure(score)
        if score.state is not ScoreState.SUBMISSION_FAILED:
            told = f"A submission that does not deliver ({name}) got the state {score.state}."
            return failed(told, "This is the grader's fault: report it.")
    return passed()


def _partial(evidence: Evidence) -> Finding:
    right = evidence.right_outputs
    trials = [
        Trial("half of the outputs", without_some(right, PARTIAL), formed=False),
        Trial("half of the outputs null", {**dict.fromkeys(right), **without_some(right, PARTIAL)}, formed=False),
    ]
    for name, score in evidence.try_all(trials).items():
        if score.accepted:
            return failed(f"Accepted, and it must not be: {name}.", REMEDY)
    return passed()


def _killed(evidence: Evidence) -> Finding:
    """A grading that is killed half-way has no result, whatever it has written by then."""
    for part in ("metrics", "checks"):
        under = Circumstances(kill=part)
        score = evidence.fresh.judge(evidence.right_outputs, evidence.harness, evidence.validation, under)
        no_infrastructure_failure(score)
        if score.state is ScoreState.SCORED:
            return failed(f"Its {part} were killed at once, and there was a score all the same.", "Write no results.")
    return passed()

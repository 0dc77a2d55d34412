"""Q11: what does not deliver gets no score, and half a delivery no full one."""

from dataclasses import replace

from evals.grading import Circumstances
from evals.score import Score, ScoreState
from harness_builder.evidence import Evidence, Trial, no_infrastructure_failure
from harness_builder.finding import Finding, failed, passed, some
from harness_builder.probes.broken import BROKEN, ENDLESS
from harness_builder.probes.degraded import with_wrong_cases, without_some

ID, TITLE = "Q11", "broken submissions fail"
BROKEN_SEC, ENDLESS_SEC = 5.0, 1.0
PARTIAL = 0.5
PARTS = 12
"""Groups of cases that go missing one after the other."""
REMEDY = "Look every case up in the outputs; what is missing or of the wrong type is wrong, and no exception hides it."


def look(evidence: Evidence) -> Finding:
    for part in (_broken, _partial, _missing_is_wrong, _killed):
        finding = part(evidence)
        if finding.verdict == "fail":
            return finding
    return passed(f"{len(BROKEN)} broken and two partial submissions; two gradings killed half-way.")


def _broken(evidence: Evidence) -> Finding:
    """What crashes, hangs, stays silent or writes rubbish must end as a failed submission, never as a score."""

    def grade(name: str) -> Score:
        impatient = replace(evidence.grader, submission_sec=ENDLESS_SEC if name == ENDLESS else BROKEN_SEC)
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


def _missing_is_wrong(evidence: Evidence) -> Finding:
    """Where wrong outputs of a few cases are refused, no outputs and nulls for these cases are refused too."""
    right, names = evidence.right_outputs, list(evidence.right_outputs)
    wrong = with_wrong_cases(right, right)
    parts = [names[start::PARTS] for start in range(min(PARTS, len(names)))]
    trials = []
    for hit in parts:
        rest = {name: output for name, output in right.items() if name not in hit}
        what = some(hit)
        trials += [
            Trial(f"{what} wrong", {**rest, **{name: wrong[name] for name in hit}}),
            Trial(f"{what} missing", rest, formed=False),
            Trial(f"{what} null", {**rest, **dict.fromkeys(hit)}, formed=False),
        ]
    scores = evidence.try_all(trials)
    for place in range(0, len(trials), 3):
        for trial in trials[place + 1 : place + 3]:
            if scores[trial.name].accepted and not scores[trials[place].name].accepted:
                return failed(f"Accepted with {trial.name}, and refused with {trials[place].name}.", REMEDY)
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

"""Q11: what does not deliver gets no score, and half a delivery no full one."""

from dataclasses import replace

from evals.grading import Circumstances
from evals.score import Score, ScoreState
from harness_builder.evidence import Evidence, no_infrastructure_failure
from harness_builder.finding import Finding, failed, passed, some
from harness_builder.packs import accepted_in_part
from harness_builder.probes.broken import BROKEN, ENDLESS, without_a_part
from harness_builder.probes.degraded import with_wrong_cases, without_some
from harness_builder.shapes import Outputs
from harness_builder.trial import Trial

ID, TITLE = "Q11", "broken submissions fail"
BROKEN_SEC, ENDLESS_SEC = 5.0, 1.0
PARTIAL = 0.5
PARTS = 12
"""Groups of cases that go missing one after the other."""
REMEDY = "Look every case up in the outputs; what is missing or of the wrong type is wrong, and no exception hides it."


def look(evidence: Evidence) -> Finding:
    for part in (_broken, _missing, _in_part, _killed):
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


def _missing(evidence: Evidence) -> Finding:
    """Half of the outputs are never enough; and where wrong ones of a few cases are refused, so are none, and nulls."""
    right, parts = evidence.right_outputs, _parts(list(evidence.right_outputs))
    halves = [
        Trial("half of the outputs", without_some(right, PARTIAL), formed=False),
        Trial("half of the outputs null", {**dict.fromkeys(right), **without_some(right, PARTIAL)}, formed=False),
    ]
    spoiled = [_spoiled(right, hit) for hit in parts]
    scores = evidence.try_all([*halves, *(trial for _, *absent in spoiled for trial in absent)])
    for half in halves:
        if scores[half.name].accepted:
            return failed(f"Accepted, and it must not be: {half.name}.", REMEDY)
    spared = [(wrong, trial) for wrong, *absent in spoiled for trial in absent if scores[trial.name].accepted]
    scores = evidence.try_all([wrong for wrong, _ in spared])
    for wrong, trial in spared:
        if not scores[wrong.name].accepted:
            return failed(f"Accepted with {trial.name}, and refused with {wrong.name}.", REMEDY)
    return passed()


def _in_part(evidence: Evidence) -> Finding:
    """Nothing in place of one value is wrong, and one kind of nothing is not another."""
    trials = without_a_part(evidence.right_outputs, evidence.fields)
    if accepted := accepted_in_part(evidence, trials):
        return failed(f"Accepted, and it must not be: {some(accepted)}.", REMEDY)
    return passed()


def _parts(names: list[str]) -> list[list[str]]:
    return [names[start::PARTS] for start in range(min(PARTS, len(names)))]


def _spoiled(right: Outputs, hit: list[str]) -> tuple[Trial, Trial, Trial]:
    """The outputs of some cases wrong, missing, and null."""
    rest, wrong = {name: output for name, output in right.items() if name not in hit}, with_wrong_cases(right, hit)
    return (
        Trial(f"{some(hit)} wrong", {**rest, **{name: wrong[name] for name in hit}}),
        Trial(f"{some(hit)} missing", rest, formed=False),
        Trial(f"{some(hit)} null", {**rest, **dict.fromkeys(hit)}, formed=False),
    )


def _killed(evidence: Evidence) -> Finding:
    """A grading that is killed half-way has no result, whatever it has written by then."""
    for part in ("metrics", "checks"):
        under = Circumstances(kill=part)
        score = evidence.fresh.judge(evidence.right_outputs, evidence.harness, evidence.validation, under)
        no_infrastructure_failure(score)
        if score.state is ScoreState.SCORED:
            return failed(f"Its {part} were killed at once, and there was a score all the same.", "Write no results.")
    return passed()

"""Q7: order, time zone, clock and company do not matter."""

from evals.grading import Circumstances, Grading
from evals.score import Score, ScoreState
from evals.splits import Split
from harness_builder.evidence import Evidence, metrics_by_case
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.degraded import mixed

ID, TITLE = "Q7", "nothing but the outputs matters"
DAY = 86_400.0
UNDER = {
    "with the cases in another order": Circumstances(shuffle=1),
    "with the cases in a third order": Circumstances(shuffle=2),
    "in another time zone": Circumstances(time_zone="Pacific/Kiritimati"),
    "half a year and half a day later": Circumstances(clock_shift_sec=182.5 * DAY),
    "ten years earlier": Circumstances(clock_shift_sec=-3653.3 * DAY, time_zone="America/Anchorage"),
    "ten years later": Circumstances(clock_shift_sec=3655.7 * DAY),
}
ALONE = 6
REMEDY = "score() must depend on its case and output alone, and checks on the cases and outputs they are given."
TOLD = 1e-9


def look(evidence: Evidence) -> Finding:
    some_wrong = mixed(evidence.right_outputs)
    before = {"right": evidence.reached, "mixed": evidence.judge(some_wrong, evidence.validation)}
    outputs = {"right": evidence.right_outputs, "mixed": some_wrong}
    jobs = [(what, kind) for what in UNDER for kind in outputs]
    gradings = [Grading(outputs[kind], evidence.validation, UNDER[what]) for what, kind in jobs]
    for (what, kind), score in zip(jobs, evidence.judge_each(gradings), strict=True):
        evidence.decided(score, f"a grading {what}", evidence.validation)
        if not _agree(evidence, score, before[kind]):
            return failed(f"{kind} outputs get another score {what}.", REMEDY)
    return _alone(evidence, some_wrong, before["mixed"])


def _agree(evidence: Evidence, left: Score, right: Score) -> bool:
    if left.state is not ScoreState.SCORED or dict(left.checks) != dict(right.checks):
        return False
    mine, others = metrics_by_case(left, evidence.harness), metrics_by_case(right, evidence.harness)
    return all(abs(mine[name] - others[name]) <= TOLD for name in mine)


def _alone(evidence: Evidence, outputs: dict[str, object], before: Score) -> Finding:
    """A case graded alone scores what it scores in company. Checks may well speak of all cases, and are left out."""
    cases = list(evidence.cases.values())
    chosen = cases[:: max(1, len(cases) // ALONE)][:ALONE]
    usual = metrics_by_case(before, evidence.harness)
    name = evidence.validation.name
    gradings = [Grading({case.id: outputs[case.id]}, Split(name, (case,))) for case in chosen]
    for case, score in zip(chosen, evidence.judge_each(gradings), strict=True):
        evidence.decided(score, "a case graded alone", evidence.validation)
        alone = metrics_by_case(score, evidence.harness)[case.id]
        if abs(alone - usual[case.id]) > TOLD:
            return failed(f"{case.id} scores otherwise when it is graded alone.", REMEDY)
    return passed(f"Unchanged under {len(UNDER)} circumstances and for {len(chosen)} cases alone.")

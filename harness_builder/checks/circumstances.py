"""Q7: order, time zone, clock and company do not matter."""

import secrets
from collections.abc import Sequence
from dataclasses import replace

from evals.grading import Circumstances, Grading
from evals.score import Score, ScoreState
from evals.splits import Case, Split
from harness_builder.evidence import Evidence, metrics_by_case, no_infrastructure_failure
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.degraded import late, mislabeled, wrong_everywhere
from harness_builder.trial import Trial

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
FIELDS = 8
REMEDY = "score() must depend on its case and output alone, and checks on the cases and outputs they are given."
TOLD = 1e-9


def look(evidence: Evidence) -> Finding:
    for part in (_circumstances, _crowd, _renamed, _places):
        finding = part(evidence)
        if finding.verdict == "fail":
            return finding
    return finding


def _places(evidence: Evidence) -> Finding:
    """Whether a wrong field is seen at the end as it is at the beginning: the last cases first, all is the same."""
    fields = [place for place in evidence.places if place.is_field][:FIELDS]
    trials = [Trial(f"{place.name} wrong in the last cases", late(evidence.right_outputs, place)) for place in fields]
    usual = evidence.decide_all(trials)
    turned = Split(evidence.validation.name, evidence.validation.cases[::-1])
    scores = evidence.judge_each([Grading(trial.outputs, turned) for trial in trials])
    for trial, score in zip(trials, scores, strict=True):
        evidence.decided(score, "a grading with the last cases first", evidence.validation)
        if not _agree(evidence, score, usual[trial.name]):
            return failed(f"{trial.name}: another score with the last cases first.", REMEDY)
    return passed(f"Unchanged under {len(UNDER)} circumstances, for cases alone, and with the last cases first.")


def _circumstances(evidence: Evidence) -> Finding:
    kinds = {"right": evidence.right_outputs, "mixed": evidence.mixed_outputs, "inexact": evidence.inexact_outputs}
    usual = evidence.decide_all([Trial(f"{kind} outputs", outputs) for kind, outputs in kinds.items()])
    jobs = [(what, kind) for what in UNDER for kind in kinds]
    alone = _some(list(evidence.cases.values()))
    scores = evidence.judge_each(
        [
            *(Grading(kinds[kind], evidence.validation, UNDER[what]) for what, kind in jobs),
            *(_alone(case, kinds["mixed"][case.id], evidence.validation.name) for case in alone),
        ]
    )
    for (what, kind), score in zip(jobs, scores, strict=False):
        evidence.decided(score, f"a grading {what}", evidence.validation)
        if not _agree(evidence, score, usual[f"{kind} outputs"]):
            return failed(f"{kind} outputs get another score {what}.", REMEDY)
    for case, score in zip(alone, scores[len(jobs) :], strict=True):
        evidence.decided(score, "a case graded alone", evidence.validation)
        if abs(_value(evidence, score, case) - _value(evidence, usual["mixed outputs"], case)) > TOLD:
            return failed(f"{case.id} scores otherwise when it is graded alone.", REMEDY)
    return passed()


def _crowd(evidence: Evidence) -> Finding:
    """Twice as many cases, each there before under another id: the test split may be longer than validation is.

    Only the known ids are looked at: what is seeded by the id may well score another one otherwise.
    """
    again = [replace(case, id=f"{case.id}-again") for case in evidence.validation.cases]
    crowd = Split(evidence.validation.name, (*again, *evidence.validation.cases))
    mixed = evidence.mixed_outputs
    outputs = {**mixed, **{f"{name}-again": output for name, output in mixed.items()}}
    usual = metrics_by_case(evidence.decide_all([Trial("mixed outputs", mixed)])["mixed outputs"], evidence.harness)
    score = evidence.judge_each([Grading(outputs, crowd)])[0]
    if score.state is not ScoreState.SCORED:
        return passed()  # a slow harness may take too long for twice as many
    now = metrics_by_case(score, evidence.harness)
    if any(abs(now[name] - value) > TOLD for name, value in usual.items()):
        return failed("The same cases score otherwise when each is there twice, under two ids.", REMEDY)
    return passed()


def _renamed(evidence: Evidence) -> Finding:
    """The cases under other ids, those that a test split may have among them: what is wrong is refused all the same.

    Acceptance alone is compared: what is seeded by the id may well score another one otherwise.
    """
    right = evidence.right_outputs
    fields = [place for place in evidence.places if place.is_field][:FIELDS]
    trials = [
        Trial("right outputs", right),
        Trial("exchanged in half of the cases", mislabeled(right, 0.5)),
        *(wrong_everywhere(right, place) for place in fields),
    ]
    usual = evidence.decide_all(trials)
    for what, ids in _other_ids(list(evidence.cases)).items():
        cases = tuple(replace(case, id=ids[name]) for name, case in evidence.cases.items())
        split = Split(evidence.validation.name, cases)
        renamed = [Grading({ids[name]: trial.outputs[name] for name in ids}, split) for trial in trials]
        for trial, score in zip(trials, evidence.judge_each(renamed), strict=True):
            no_infrastructure_failure(score)
            if score.accepted != usual[trial.name].accepted:
                now = "accepted" if score.accepted else "refused"
                return failed(f"{trial.name}: {now} when the cases have ids {what}, and not under their own.", REMEDY)
    return passed()


def _other_ids(names: Sequence[str]) -> dict[str, dict[str, str]]:
    return {
        "of a test split": {name: f"test-{number}" for number, name in enumerate(names)},
        "by lot": {name: secrets.token_hex(6) for name in names},
    }


def _agree(evidence: Evidence, left: Score, right: Score) -> bool:
    if left.state is not ScoreState.SCORED or dict(left.checks) != dict(right.checks):
        return False
    mine, others = metrics_by_case(left, evidence.harness), metrics_by_case(right, evidence.harness)
    return all(abs(mine[name] - others[name]) <= TOLD for name in mine)


def _some(cases: list[Case]) -> list[Case]:
    return cases[:: max(1, len(cases) // ALONE)][:ALONE]


def _alone(case: Case, output: object, split: str) -> Grading:
    """A case graded alone scores what it scores in company. Checks may well speak of all cases, and are left out."""
    return Grading({case.id: output}, Split(split, (case,)))


def _value(evidence: Evidence, score: Score, case: Case) -> float:
    return metrics_by_case(score, evidence.harness)[case.id]

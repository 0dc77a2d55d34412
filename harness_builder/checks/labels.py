"""Q10: expectations matter, and nothing else knows them."""

from dataclasses import replace

from evals.score import ScoreState
from evals.splits import Split
from harness_builder.evidence import Evidence, no_infrastructure_failure
from harness_builder.finding import Finding, failed, not_applicable, passed

ID, TITLE = "Q10", "expectations decide"
REMEDY = "Compare outputs with case['expected'], not with answers kept or computed in the harness."


def look(evidence: Evidence) -> Finding:
    cases, crashed = evidence.validation.cases, False
    for step in dict.fromkeys((len(cases) // 2, 1)):
        permuted, wrong = _permuted(evidence, step)
        if len(wrong) * 2 <= len(cases):
            continue
        score = evidence.judge(evidence.right_outputs, permuted)
        no_infrastructure_failure(score)
        if score.state is ScoreState.HARNESS_INVALID:
            crashed = True  # an input and the expectation of another one need not go together
            continue
        if score.accepted:
            return failed("A correct submission is accepted though the expectations were exchanged.", REMEDY)
        missed = evidence.unnoticed(score, wrong)
        if len(missed) * 2 > len(wrong):
            told = f"{len(missed)} of {len(wrong)} cases score as before with the expectations exchanged."
            return failed(told, REMEDY)
        return passed("With exchanged expectations a correct submission fails.")
    if crashed:
        return passed("With exchanged expectations it has no result: it looks at them.")
    return not_applicable("The expectations are too much alike for an exchange to tell anything.")


def _permuted(evidence: Evidence, step: int) -> tuple[Split, set[str]]:
    """Validation with every expectation taken from another case, and the cases whose right output is wrong by it."""
    cases = evidence.validation.cases
    owners = [cases[(place + step) % len(cases)] for place in range(len(cases))]
    pairs = list(zip(cases, owners, strict=True))
    split = Split(evidence.validation.name, tuple(replace(case, expected=owner.expected) for case, owner in pairs))
    return split, {case.id for case, owner in pairs if evidence.contradicts(case.id, owner.id)}

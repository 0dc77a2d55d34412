"""Q12: what a submission says of itself changes nothing."""

from harness_builder.chance import chance_of, wrong_hits
from harness_builder.evidence import Evidence, Trial
from harness_builder.finding import Finding, failed, passed, some
from harness_builder.probes.degraded import with_wrong_cases
from harness_builder.probes.exploits import forged_trials
from harness_builder.source import literals

ID, TITLE = "Q12", "claims of a submission ignored"
REMEDY = "Compute every score from the values the task asks for; read no verdict, score or count out of an output."


def look(evidence: Evidence) -> Finding:
    wrong = with_wrong_cases(evidence.right_outputs, evidence.right_outputs)
    plain = Trial("wrong outputs without a claim", wrong)
    harness = evidence.harness
    trials = forged_trials(wrong, [harness.metric.name, *literals(harness)], harness.metric.bounds)
    scores = evidence.try_all([plain, *trials])
    chance = chance_of(evidence, {plain.name: scores[plain.name]})
    fooled = [
        trial.name
        for trial in trials
        if scores[trial.name].accepted
        or chance.exceeded_by(len(wrong_hits(evidence, scores[trial.name], trial.outputs)), len(evidence.cases))
    ]
    if fooled:
        return failed(f"Believed: {some(fooled)}.", REMEDY)
    return passed(f"{len(trials)} kinds of claims in outputs believed by none; files beside them are never read.")

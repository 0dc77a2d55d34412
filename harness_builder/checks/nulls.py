"""Q1: what knows nothing must not pass, nor get further than chance."""

from harness_builder.chance import chance_of, hits
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, failed, passed, some
from harness_builder.probes.nulls import formed_nulls, unformed_nulls

ID, TITLE = "Q1", "worthless submissions refused"
REMEDY = "A submission that knows nothing must not pass: compare each output with its expectation."


def look(evidence: Evidence) -> Finding:
    formed = formed_nulls(evidence.right_outputs)
    inputs = [case.input for case in evidence.cases.values()]
    unformed = unformed_nulls(list(evidence.cases), inputs, list(evidence.right_outputs.values()))
    scores = evidence.decide_all([*formed, *unformed])
    accepted = [name for name, score in scores.items() if score.accepted]
    if accepted:
        return failed(f"Accepted, and it must not be: {some(accepted)}.", REMEDY)
    chance = chance_of(evidence, {trial.name: scores[trial.name] for trial in formed})
    count = len(evidence.cases)
    lucky = [t.name for t in unformed if chance.exceeded_by(len(hits(evidence, scores[t.name])), count)]
    if lucky:
        return failed(f"Scored as right in more cases than chance explains: {some(lucky)}.", REMEDY)
    return passed(f"{len(scores)} kinds refused; knowing nothing scores as right in {chance.share:.0%} of the cases.")

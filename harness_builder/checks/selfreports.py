"""Q12: what a submission says of itself changes nothing."""

from typing import Any

from evals.score import Score, ScoreState
from harness_builder.evidence import Evidence, metrics_by_case
from harness_builder.finding import Finding, failed, passed, some
from harness_builder.probes.degraded import with_wrong_cases
from harness_builder.probes.exploits import forged_trials
from harness_builder.probes.lists import padded, shortened
from harness_builder.shapes import map_lists
from harness_builder.source import literals
from harness_builder.trial import Trial

SLACK = 1e-9
ID, TITLE = "Q12", "claims of a submission ignored"
REMEDY = "Compute every score from the values the task asks for; read no verdict, score or count out of an output."


def look(evidence: Evidence) -> Finding:
    right, harness = evidence.right_outputs, evidence.harness
    words = [harness.metric.name, *literals(harness)]
    bases = {"wrong": with_wrong_cases(right, right), "partly right": shortened(evidence.mixed_outputs, 0.5)}
    bases |= {
        "padded": padded(right, 1.0),
        "reversed": {name: map_lists(each, _reversed) for name, each in right.items()},
    }
    bases = {kind: each for kind, each in bases.items() if each != right}
    plain = {kind: Trial(f"{kind} outputs without a claim", each, formed=False) for kind, each in bases.items()}
    claims = {kind: forged_trials(kind, each, words, harness.metric.bounds) for kind, each in bases.items()}
    scores = evidence.try_all([*plain.values(), *(claim for each in claims.values() for claim in each)])
    believed = [
        claim.name
        for kind, each in claims.items()
        for claim in each
        if _helped(evidence, scores[plain[kind].name], scores[claim.name])
    ]
    if believed:
        return failed(f"Believed: {some(believed)}.", REMEDY)
    return passed("No claim in an output makes any case score better; files beside outputs are never read.")


def _reversed(items: list[Any]) -> list[Any]:
    return items[::-1]


def _helped(evidence: Evidence, without: Score, claiming: Score) -> bool:
    if claiming.state is not ScoreState.SCORED or without.state is not ScoreState.SCORED:
        return claiming.accepted
    metric = evidence.harness.metric
    before, after = metrics_by_case(without, evidence.harness), metrics_by_case(claiming, evidence.harness)
    better = any(
        metric.better(after[name], before[name]) and abs(after[name] - before[name]) > SLACK for name in before
    )
    return better or (claiming.accepted and not without.accepted)

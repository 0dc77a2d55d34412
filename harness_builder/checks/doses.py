"""Q3: the worse an output, the lower its score."""

from collections.abc import Sequence
from itertools import pairwise

from evals.harness import Metric
from evals.score import Score
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.degraded import DOSES, in_places, mislabeled, without_some
from harness_builder.probes.lists import half_strange, padded, shortened
from harness_builder.probes.numbers import FACTORS, scaled
from harness_builder.shapes import leaves
from harness_builder.trial import Trial

ID, TITLE = "Q3", "worse outputs score worse"
HALF = 0.5
SLACK = 1e-9
LUCK = 0.5
"""Of all that the doses take away, what the next one may give back: far off is not always worse than off."""
REMEDY = (
    "The metric must fall, case by case, as outputs get worse, in either direction; "
    "check its sign, its tolerance and its bar."
)


def look(evidence: Evidence) -> Finding:
    series = _series(evidence)
    trials = [trial for each in series.values() for trial in each]
    scores = evidence.decide_all(trials)
    for name, doses in series.items():
        judged = [scores[trial.name] for trial in doses]
        if problem := _problem(evidence, name, doses, judged):
            return failed(problem, f"{REMEDY} {evidence.tolerance.told}" if "numbers" in name else REMEDY)
    halves = [
        Trial(f"outputs exchanged in {where}", worse) for where, worse in in_places(evidence.right_outputs).items()
    ]
    for half, score in zip(halves, evidence.decide_all(halves).values(), strict=True):
        if _much_wrong(evidence, half) and score.accepted:
            return failed(f"Accepted, though at least half of the cases are wrong: {half.name}.", REMEDY)
    return passed(f"The score falls with every one of {len(series)} ways to be wrong.")


def _series(evidence: Evidence) -> dict[str, list[Trial]]:
    right = evidence.right_outputs
    series = {
        "outputs exchanged between cases": [_dosed("exchanged", d, mislabeled(right, d)) for d in DOSES],
        "outputs left out": [_dosed("left out", d, without_some(right, d), formed=False) for d in DOSES],
    }
    kinds = {type(leaf) for output in right.values() for _, leaf in leaves(output)}
    for kind, noun in ((float, "numbers"), (int, "whole numbers")):
        for sign, way in ((1, "too large"), (-1, "too small")) if kind in kinds else ():
            name = f"{noun} {way}"
            series[name] = [
                Trial(f"{noun} {way} by {f:g} of their size", scaled(right, sign * f, kind)) for f in FACTORS
            ]
    if any(isinstance(part, list) for output in right.values() for part in _containers(output)):
        series["lists cut short"] = [_dosed("of every list cut", d, shortened(right, d), formed=False) for d in DOSES]
        name = "items of lists exchanged for strange ones"
        series[name] = [_dosed("strange items", d, half_strange(right, d)) for d in DOSES]
        series["lists padded"] = [_dosed("more in every list", d, padded(right, d), formed=False) for d in DOSES]
    return series


def _dosed(what: str, dose: float, outputs: dict[str, object], *, formed: bool = True) -> Trial:
    return Trial(f"{dose:.0%} {what}", outputs, formed)


def _containers(value: object) -> list[object]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(part for item in inner for part in _containers(item))]


def _problem(evidence: Evidence, name: str, doses: Sequence[Trial], scores: Sequence[Score]) -> str:
    metric, right = evidence.harness.metric, evidence.reached
    values = [score.value for score in (right, *scores)]
    known = [value for value in values if value is not None]
    if _regained(metric, known):
        return f"The score gets better as {name} become more: {_listed(known)}."
    last, outputs = scores[-1], doses[-1].outputs
    wrong = evidence.certainly_wrong(outputs)
    if not wrong or ("numbers" in name and not evidence.expectations_speak):
        return ""
    if evidence.took_no_notice(last):
        return f"With {doses[-1].name} the score is as good as before ({_listed(known)})."
    half = [
        trial.name
        for trial, score in zip(doses, scores, strict=True)
        if _much_wrong(evidence, trial) and score.accepted
    ]
    return f"Accepted, though at least half of the cases are wrong: {half[0]}." if half else ""


def _regained(metric: Metric, values: Sequence[float]) -> bool:
    """Whether a larger dose wins back most of what was lost: what is wrong already may by luck come nearer."""
    lost = max((abs(values[0] - value) for value in values if metric.better(values[0], value)), default=0.0)
    noise = max(SLACK, LUCK * lost)
    return any(metric.better(after, before) and abs(after - before) > noise for before, after in pairwise(values))


def _much_wrong(evidence: Evidence, trial: Trial) -> bool:
    return len(evidence.certainly_wrong(trial.outputs)) >= max(1.0, HALF * len(evidence.cases))


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.4g}" for value in values)

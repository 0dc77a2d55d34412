"""Q4: plausible wrong submissions are refused: mutants of a correct one, its outputs spoiled in places, own probes.

At least 80% of the mutants and 90% of the probes, and every spoiled output. Mutants and outputs count only when an
expectation says that they are certainly wrong (harness_builder/truth.py), so that an edit which changes nothing that
matters is not held against the harness.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from evals.grading import Grading
from evals.score import Score, ScoreState
from evals.splits import Split
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, failed, passed, some
from harness_builder.mutants import Mutant, mutants_of
from harness_builder.packs import accepted_in_part
from harness_builder.places import list_places
from harness_builder.probes.balanced import cancelling
from harness_builder.probes.degraded import with_place_of, with_wrong_cases, with_wrong_place
from harness_builder.probes.lists import (
    copied,
    exchanged,
    narrowed,
    padded,
    reordered,
    repeated,
    spoiled,
    without_item,
    without_repeats,
)
from harness_builder.probes.notations import notation_trials
from harness_builder.probes.numbers import inwards
from harness_builder.probes.relatives import relatives, relatives_of_input, rounded
from harness_builder.probes.siblings import like_siblings
from harness_builder.shapes import Outputs, field_of
from harness_builder.trial import Trial
from harness_builder.truth import BARELY

ID, TITLE = "Q4", "plausible wrong submissions refused"
MUTANTS_REFUSED, PROBES_REFUSED = 0.8, 0.9
SINGLE_CASES, SUSPECTS = 4, 16
"""Of the cases in which the metric did not notice a wrong output: looked at singly, of each way to be wrong; in all."""
DIFF_CHARS = 600
REMEDY = "The metric or a check must tell it from a correct submission, in every field and in every case."


def look(evidence: Evidence) -> Finding:
    for part in (_probes, _spoiled, _related, _reordered, _written_otherwise, _mutants):
        finding = part(evidence)
        if finding.verdict == "fail":
            return finding
    return passed(finding.evidence)


def _probes(evidence: Evidence) -> Finding:
    probes = evidence.harness.probes
    accepted = _accepted(evidence, list(probes), evidence.validation)
    if len(accepted) <= (1 - PROBES_REFUSED) * len(probes):
        return passed()
    # Which of them is accepted on validation could be made to spell expectations; on the public split all may be told.
    told = _accepted(evidence, accepted, evidence.public)
    rest = f" {len(accepted) - len(told)} more on validation only." if len(accepted) > len(told) else ""
    names = f": {some(told)}." if told else "."
    said = f"{len(accepted)} of {len(probes)} probes accepted, and they must not be{names}{rest}"
    return failed(said, f"Your own probe passes. {REMEDY}")


def _accepted(evidence: Evidence, names: Sequence[str], split: Split) -> list[str]:
    collected = evidence.slots.each(names, lambda name: evidence.collect(evidence.harness.probes[name], split))
    delivered = [(name, each.outputs) for name, each in zip(names, collected, strict=True) if not each.failure]
    scores = evidence.judge_each([Grading(outputs, split) for _, outputs in delivered])
    if split is evidence.validation:
        evidence.remember([Trial(f"probe {name}", outputs) for name, outputs in delivered], scores)
    for (name, _), score in zip(delivered, scores, strict=True):
        evidence.decided(score, f"the probe {name!r}" if split.name == "public" else "a probe", split)
    return [name for (name, _), score in zip(delivered, scores, strict=True) if score.accepted]


def _spoiled(evidence: Evidence) -> Finding:
    """Outputs wrong in one field, or in all of them, by far or barely: each must be noticed in every case."""
    trials = [Trial(name, outputs) for name, outputs in _spoilings(evidence).items()]
    trials += spoiled(evidence.right_outputs, list_places(evidence.right_outputs.values()))
    scores = evidence.decide_all(trials)
    suspects: list[Trial] = []
    for trial in trials:
        wrong, score = evidence.certainly_wrong(trial.outputs), scores[trial.name]
        if evidence.took_no_notice(score) and evidence.must_be_refused(trial.outputs):
            return failed(f"Accepted with a full score: {trial.name}.", _remedy(evidence, trial.name))
        if len(wrong) >= evidence.leeway.too_many_wrong * len(evidence.cases) and score.accepted:
            return failed(f"Accepted: {trial.name} ({len(wrong)} of {len(evidence.cases)} cases).", REMEDY)
        suspects += _single_cases(evidence, trial, evidence.unnoticed(score, wrong))
    if missed := _passing_alone(evidence, suspects):
        return failed(f"Accepted with a full score: {some(missed)}.", _remedy(evidence, missed[0]))
    return passed()


def _remedy(evidence: Evidence, name: str) -> str:
    barely = f" {evidence.tolerance.told} Barely is {BARELY:g} times that." if " barely " in name else ""
    return f"{REMEDY}{barely}"


def _related(evidence: Evidence) -> Finding:
    """Numbers for which something stands that is computed from them: rounded, negated, corrected otherwise."""
    inputs = {name: case.input for name, case in evidence.cases.items()}
    trials = relatives(evidence.right_outputs, evidence.places, evidence.task.instruction)
    trials += relatives_of_input(evidence.right_outputs, inputs, evidence.places)
    balanced = cancelling(evidence.right_outputs)
    strict = [replace(trial, outputs=evidence.strict_part(trial.outputs)) for trial in (*trials, *balanced)]
    if accepted := accepted_in_part(evidence, strict):
        errors = any(trial.name in accepted for trial in balanced)
        remedy = "Look at each number by itself." if errors else "Accept the number that is asked for, only."
        return failed(f"Accepted with a full score: {some(accepted)}.", remedy)
    return passed()


def _reordered(evidence: Evidence) -> Finding:
    """Where one other order of a list is noticed, the others must be too: order counts, or it does not."""
    for place in list_places(evidence.right_outputs.values()):
        field = field_of(place.steps, evidence.fields)
        if field in evidence.leeway.order:
            continue
        slight = exchanged(evidence.right_outputs, place)
        orders = reordered(evidence.right_outputs, place) | slight
        again = Trial(f"{place.name}: lists written again and again", repeated(evidence.right_outputs, place))
        trials = [*(Trial(f"{place.name}: {name}", each) for name, each in orders.items()), again]
        wrong = [trial for trial in trials if evidence.certainly_wrong(trial.outputs)]
        scores = evidence.decide_all(wrong)
        missed = [trial.name for trial in wrong if _is_missed(evidence, trial, scores[trial.name])]
        noticed = [trial.name for trial in wrong if trial.name not in missed and trial is not again]
        if noticed and missed and (again.name in missed or not evidence.leeway.order_partly):
            return failed(f"Accepted with a full score: {some(missed)}; but {noticed[0]} is noticed.", REMEDY)
        if missed and not noticed and field in evidence.leeway.ordered and not place.is_inner:
            return failed(f"Accepted with a full score: {some(missed)}; the instruction speaks of an order.", REMEDY)
        if again.name in missed and field in evidence.leeway.once:
            return failed(f"Accepted with a full score: {again.name}.", REMEDY)
        if noticed and evidence.leeway.speaks_of_order and not evidence.leeway.order_partly:
            neighbours = [trial for trial in wrong if trial.name.removeprefix(f"{place.name}: ") in slight]
            if taste := _in_some_case(evidence, neighbours, scores):
                return failed(f"Accepted with a full score: {some(taste)}; but {noticed[0]} is noticed.", REMEDY)
    return passed()


def _in_some_case(evidence: Evidence, trials: Sequence[Trial], scores: Mapping[str, Score]) -> list[str]:
    """Those that pass in some case, like ties that may stand either way; only where an expectation gives the order."""
    if not evidence.expectations_speak:
        return []
    suspects: list[Trial] = []
    for trial in trials:
        unnoticed = evidence.unnoticed(scores[trial.name], evidence.certainly_wrong(trial.outputs))
        suspects += _single_cases(evidence, trial, unnoticed)
    return _passing_alone(evidence, suspects)


def _is_missed(evidence: Evidence, trial: Trial, score: Score) -> bool:
    """Whether it is accepted with a full score: all of it, or most single cases, if the metric sees none of them.

    A check may be about some cases only, like ties, and turn the whole red; a metric may sample and miss single cases.
    """
    wrong = evidence.certainly_wrong(trial.outputs)
    if evidence.took_no_notice(score) or evidence.unnoticed(score, wrong) != wrong:
        return evidence.took_no_notice(score)
    singles = _single_cases(evidence, trial, wrong)
    scores = evidence.decide_all(singles).values()
    return sum(map(evidence.took_no_notice, scores)) * 2 > len(singles)


def _written_otherwise(evidence: Evidence) -> Finding:
    trials = notation_trials(evidence.right_outputs, evidence.task.instruction, evidence.leeway)
    scores = evidence.decide_all(trials)
    missed = [trial.name for trial in trials if evidence.took_no_notice(scores[trial.name])]
    if missed:
        return failed(f"Accepted with a full score: {some(missed)}.", "Accept only the notation that the task states.")
    return passed()


def _spoilings(evidence: Evidence) -> dict[str, Outputs]:
    right = evidence.right_outputs
    expected = {name: case.expected for name, case in evidence.cases.items()}
    spoilings = {
        "every case wrong": with_wrong_cases(right, right),
        "the first item of every list left out": without_item(right, 0),
        "the last item of every list left out": without_item(right, -1),
        "one item more in every list": padded(right, 0.0),
        "the first item of every list in place of all others": narrowed(right),
        "items that stand in a list more than once written once": without_repeats(right),
        "lists copied from the expectations": copied(right, {name: expected.get(name) for name in right}),
    }
    larger, smaller = evidence.barely_wrong(1), evidence.barely_wrong(-1)
    ways = {"too large": larger, "too small": smaller, "off": inwards(right, larger, smaller)}
    for way, barely in ways.items():
        spoilings[f"every number barely {way}"] = barely
        for place in evidence.places:
            spoilings[f"{place.name} barely {way} everywhere"] = with_place_of(right, barely, place)
    for place in evidence.places:
        for seed in (2, 5) if place.is_field else (2,):
            spoilings[f"{place.name} wrong everywhere ({seed})"] = with_wrong_place(right, place, seed=seed)
    spoilings |= rounded(right) | like_siblings(right)
    return {name: outputs for name, outputs in spoilings.items() if outputs != right}


def _single_cases(evidence: Evidence, trial: Trial, names: Collection[str]) -> list[Trial]:
    """The same wrongness in one case only, for some of the cases in which the metric did not notice it."""
    right, outputs = evidence.right_outputs, evidence.strict_part(trial.outputs)
    wrong = [name for name in sorted(names) if outputs[name] != right[name]]
    chosen = wrong[:: max(1, len(wrong) // SINGLE_CASES)][:SINGLE_CASES]
    return [Trial(f"{trial.name}, in {name} alone", {**right, name: outputs[name]}) for name in chosen]


def _passing_alone(evidence: Evidence, suspects: Sequence[Trial]) -> list[str]:
    """Those of the single cases, evenly chosen, that are accepted with a full score."""
    chosen = suspects[:: max(1, len(suspects) // SUSPECTS)][:SUSPECTS]
    scores = evidence.decide_all(chosen)
    return [trial.name for trial in chosen if evidence.took_no_notice(scores[trial.name])]


def _mutants(evidence: Evidence) -> Finding:
    mutants = mutants_of(evidence)
    if mutants.reason:
        return passed(f"No program was mutated: {mutants.reason}.")
    trials = [Trial(mutant.name, mutant.outputs) for mutant in mutants.wrong]
    scores = evidence.try_all(trials)
    survivors = [m for m in mutants.wrong if evidence.took_no_notice(scores[m.name])]
    decided = [m for m in mutants.wrong if scores[m.name].state is ScoreState.SCORED]
    told = f"{len(decided) - len(survivors)} of {len(decided)} wrong mutants refused ({mutants.tried} tried)"
    if len(survivors) > (1 - MUTANTS_REFUSED) * len(decided):
        return failed(f"Only {told}. {_listed(survivors)}", REMEDY)
    return passed(f"{told}. {_listed(survivors)}".strip())


def _listed(survivors: Sequence[Mutant]) -> str:
    if not survivors:
        return ""
    return "Survivors: " + "; ".join(f"{mutant.name}{mutant.told_diff[:DIFF_CHARS]}" for mutant in survivors[:5])

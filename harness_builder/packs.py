"""Many trials at the price of few: cases show different ones, and only those that stand out are tried by themselves."""

from collections.abc import Iterator, Sequence
from itertools import cycle

from evals.score import Score, ScoreState
from harness_builder.chance import wrong_hits
from harness_builder.evidence import Evidence
from harness_builder.trial import Trial

Pack = dict[str, Trial]
"""Which trial a case shows."""


def suspects(evidence: Evidence, trials: Sequence[Trial]) -> list[Trial]:
    """The trials that the metric may have taken for right, as far as the cases that show them tell."""
    packs = list(_packs(evidence, trials))
    together = [Trial(f"tried together ({number})", _shown(evidence, pack), False) for number, pack in enumerate(packs)]
    scores = evidence.try_all(together).values()
    found = {trial.name for pack, score in zip(packs, scores, strict=True) for trial in _out(evidence, pack, score)}
    return [trial for trial in trials if trial.name in found]


def accepted_in_part(evidence: Evidence, trials: Sequence[Trial]) -> list[str]:
    """Names of trials, wrong in one part, that are accepted as a whole. The metric need not see every part."""
    doubtful = suspects(evidence, [trial for trial in trials if evidence.must_be_refused(trial.outputs)])
    scores = evidence.try_all(doubtful)
    return [trial.name for trial in doubtful if evidence.took_no_notice(scores[trial.name])]


def _packs(evidence: Evidence, trials: Sequence[Trial]) -> Iterator[Pack]:
    """Every trial gets a case that it changes, and the cases that are left one more of the same pack."""
    left = list(trials)
    while left:
        pack: Pack = {}
        for trial in left:
            free = (name for name in evidence.cases if name not in pack and _changes(evidence, trial, name))
            if name := next(free, None):
                pack[name] = trial
        chosen = {trial.name for trial in pack.values()}
        left = [trial for trial in left if trial.name not in chosen] if chosen else []
        turns = cycle(list(pack.values()))
        pack |= {name: next(turns) for name in evidence.cases if name not in pack and pack}
        if pack:
            yield pack


def _changes(evidence: Evidence, trial: Trial, name: str) -> bool:
    return name not in trial.outputs or trial.outputs[name] != evidence.right_outputs[name]


def _shown(evidence: Evidence, pack: Pack) -> dict[str, object]:
    return {name: pack[name].outputs[name] for name in evidence.cases if name in pack[name].outputs}


def _out(evidence: Evidence, pack: Pack, score: Score) -> list[Trial]:
    if score.accepted or score.state is not ScoreState.SCORED:
        return list(pack.values())  # one of them broke the harness, which hides what the others do
    return [pack[name] for name in wrong_hits(evidence, score, _shown(evidence, pack))]

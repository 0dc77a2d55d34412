"""How far knowing nothing gets with a harness, and what is beyond it."""

from collections.abc import Mapping
from dataclasses import dataclass

from scipy.stats import binomtest

from evals.score import Score, ScoreState
from harness_builder.evidence import Evidence

SIGNIFICANCE = 1e-3


@dataclass(frozen=True)
class Chance:
    """The share of cases in which well-formed outputs that know nothing score like right ones."""

    share: float

    def exceeded_by(self, hits: int, cases: int) -> bool:
        """Exact binomial test, one-sided: so many hits would be too lucky."""
        share = min(max(self.share, 1 / (2 * cases)), 1 - 1e-9)
        return hits > 0 and bool(binomtest(hits, cases, share, alternative="greater").pvalue < SIGNIFICANCE)


def chance_of(evidence: Evidence, formed: Mapping[str, Score]) -> Chance:
    shares = [len(hits(evidence, score)) / max(1, len(evidence.cases)) for score in formed.values()]
    return Chance(max(shares, default=0.0))


def hits(evidence: Evidence, score: Score) -> set[str]:
    """Cases that score no worse than with a right output, which itself scores above the worst."""
    if score.state is not ScoreState.SCORED:
        return set()
    missing = {case.id for case in score.cases if case.missing}
    return evidence.unnoticed(score, evidence.cases.keys() - missing)


def wrong_hits(evidence: Evidence, score: Score, outputs: Mapping[str, object]) -> set[str]:
    """Hits with an output that is not itself right."""
    return {name for name in hits(evidence, score) if outputs.get(name) != evidence.right_outputs[name]}

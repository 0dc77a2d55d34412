"""Q13: there are enough cases to see the difference that the task claims."""

from collections.abc import Sequence

from scipy.optimize import brentq
from scipy.stats import binom

from evals.likeness import interchangeable
from evals.splits import Case
from harness_builder.bar import may_be_wrong
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, failed, passed
from harness_builder.probes.degraded import with_wrong_cases
from harness_builder.trial import Trial
from harness_builder.variety import alike, never_varied
from harness_builder.violations import kinds_meant

ID, TITLE = "Q13", "enough cases to tell"
POWER, LEVEL = 0.8, 0.05
LEAST_EFFECT = 0.5
"""Asked of every task: a submission that is wrong every other time must be told from one that is right."""
LEAST_OF_A_KIND = 2
"""What holds for one case may be luck."""


def look(evidence: Evidence) -> Finding:
    cases = _cases_that_count(evidence)
    for problem, remedy in (
        (
            _never_tested(evidence),
            "Draw validation cases like the public ones: what is always the same is never tested.",
        ),
        (_lax(evidence), "Raise the bar, and have every case count towards it."),
        (_too_rare(evidence), "Have more validation cases of that kind."),
    ):
        if problem:
            return failed(problem, remedy)
    return _shown(evidence, len(set(_independent(cases).values())))


def _never_tested(evidence: Evidence) -> str:
    inputs = [case.input for case in evidence.public.cases], [case.input for case in evidence.validation.cases]
    if constant := never_varied(*inputs):
        return f"The input's {', '.join(constant)} never differs between validation cases, where it could."
    if crowded := alike(*inputs):
        return f"Most validation cases have nearly the same items in the input's {crowded}, and public ones have not."
    return ""


def _lax(evidence: Evidence) -> str:
    spared = may_be_wrong(evidence)
    return f"Accepted, though {spared} of {len(evidence.cases)} cases are wrong." if spared else ""


def _too_rare(evidence: Evidence) -> str:
    """What is said when a requirement is about a kind of cases that public has, of which validation has one at most."""
    groups = _independent(list(evidence.cases.values()))
    known = {case.id: case.expected for case in evidence.public.cases} | evidence.right_outputs
    for requirement in evidence.task.ours.requirements:
        for meant in kinds_meant(requirement.text, known):
            count = len({groups[name] for name in meant & groups.keys()})
            if count < LEAST_OF_A_KIND:
                return f"{requirement.id} is about a kind of cases of which validation has {count}."
    return ""


def _shown(evidence: Evidence, count: int) -> Finding:
    effect = evidence.task.ours.effect or LEAST_EFFECT
    if not count:
        return failed("No case's score changes when its output is wrong.", "Score every case.")
    metric = evidence.harness.metric
    span = abs(metric.best - metric.worst)
    smallest = smallest_effect(count, abs((evidence.reached.value or 0.0) - metric.worst) / span)
    told = (
        f"{count} independent cases of {len(evidence.validation.cases)} count; the smallest difference they show "
        f"with {POWER:.0%} power at {LEVEL:.0%} is {smallest:.2f} of the score's range"
    )
    if smallest > effect:
        remedy = "Score every case; else the task needs more cases, or fewer of the same group."
        return failed(f"{told}, and {effect:g} is asked for.", remedy)
    return passed(f"{told} ({effect:g} is asked for).")


def _independent(cases: Sequence[Case]) -> dict[str, str]:
    """Case → name of its group; only groups say something new. Cases that are the same in all that matters are one."""
    same = {case.id: f"like {group[0].id}" for _, group in interchangeable(cases) for case in group}
    return {case.id: case.group or same.get(case.id, f"case {case.id}") for case in cases}


def _cases_that_count(evidence: Evidence) -> list[Case]:
    wrong = Trial("every case wrong", with_wrong_cases(evidence.right_outputs, evidence.right_outputs))
    score = evidence.decide_all([wrong])[wrong.name]
    missed = evidence.unnoticed(score, evidence.cases)
    return [case for name, case in evidence.cases.items() if name not in missed]


def smallest_effect(count: int, share: float) -> float:
    """The smallest drop of a success rate `share` that `count` independent cases show, one-sided exact binomial test.

    1.0 when no drop is shown. Worked by hand for share 1: any miss is significant, so 1 - (1 - d)^n = 0.8.
    """
    share = min(share, 1.0)
    critical = count - 1 if share >= 1 - 1e-12 else int(binom.ppf(LEVEL, count, share)) - 1
    if critical < 0:
        return 1.0
    if binom.cdf(critical + 1, count, share) <= LEVEL:
        critical += 1

    def lack(drop: float) -> float:
        return float(binom.cdf(critical, count, max(0.0, share - drop)) - POWER)

    return float(brentq(lack, 0.0, share)) if lack(share) >= 0 > lack(0.0) else 1.0

"""The gate measured on the zoo: what it refuses of the flawed, what it passes of the sound, and which check did it."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from scipy.stats import binomtest

from evals.grading import Grader
from evals.task import Task
from harness_builder.gate import Gate
from harness_builder.zoo.baselines import BASELINES
from harness_builder.zoo.kept import Kept
from harness_builder.zoo.outcome import Outcome
from harness_builder.zoo.specimen import FAMILIES, SET_ASIDE, Specimen


def run_zoo(
    zoo: Sequence[Specimen],
    grader_for: Callable[[Task], Grader],
    tell: Callable[[Outcome], None] = lambda _: None,
    *,
    baselines: bool = True,
    kept: Kept | None = None,
) -> dict[str, Any]:
    """Put every specimen through the gate and the baselines, or take what was kept of it; the report."""
    started, gates = time.monotonic(), dict[str, Gate]()

    def measured(specimen: Specimen) -> Outcome:
        digest = specimen.task.digest
        if digest not in gates:
            gates[digest] = Gate(specimen.task, grader_for(specimen.task), candid=True)
        qualification = gates[digest].qualify(specimen.harness)
        passing = gates[digest].try_on(specimen.harness, BASELINES) if baselines else {}
        return Outcome(specimen, qualification, passing)

    outcomes = []
    for specimen in zoo:
        outcome = kept.of(specimen, baselines=baselines) if kept else None
        if outcome is None:
            outcome = measured(specimen)
            if kept:
                kept.add(outcome)
        outcomes.append(outcome)
        tell(outcome)
    return {**report(outcomes), "seconds": round(time.monotonic() - started, 1)}


def report(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Sensitivity, specificity, families, checks, baselines; shares with exact 95% intervals (Clopper-Pearson)."""
    flawed = [each for each in outcomes if each.specimen.is_flawed]
    sound = [each for each in outcomes if not each.specimen.is_flawed]
    odd = [each for each in sound if each.specimen.odd]
    aside = [each for each in flawed if each.specimen.family in SET_ASIDE]
    refused, passed = (lambda each: not each.passed), (lambda each: each.passed)
    return {
        "sensitivity": share(flawed, refused),
        "sensitivity_set_aside": share(aside, refused),
        "sensitivity_subtle": share([each for each in flawed if each.specimen.subtle], refused),
        "specificity": share(sound, passed),
        "specificity_odd": share(odd, passed),
        "families": {name: share([e for e in flawed if e.specimen.family == name], refused) for name in FAMILIES},
        "checks": _checks(flawed, sound),
        "baselines": {
            name: {
                "sensitivity": share(flawed, lambda each, n=name: not each.baselines[n]),
                "specificity": share(sound, lambda each, n=name: each.baselines[n]),
            }
            for name in BASELINES
            if all(name in each.baselines for each in outcomes)
        },
        "wrong": [each.as_json() for each in outcomes if each.passed == each.specimen.is_flawed],
        "specimens": [each.as_json() for each in outcomes],
    }


def share(outcomes: Sequence[Outcome], holds: Callable[..., bool]) -> dict[str, Any]:
    """How many, of how many, and the exact interval of the share."""
    hits = sum(bool(holds(each)) for each in outcomes)
    if not outcomes:
        return {"share": None, "hits": 0, "of": 0, "interval": None}
    interval = binomtest(hits, len(outcomes)).proportion_ci(method="exact")
    low, high = float(interval.low), float(interval.high)
    return {
        "share": round(hits / len(outcomes), 4),
        "hits": hits,
        "of": len(outcomes),
        "interval": [round(low, 4), round(high, 4)],
    }


def _checks(flawed: Sequence[Outcome], sound: Sequence[Outcome]) -> dict[str, Any]:
    """For each check: flawed ones it caught, sound ones it refused, what would be missed without it, and its cost."""
    names = sorted({check.id for each in (*flawed, *sound) for check in each.qualification.checks}, key=_number)
    return {
        name: {
            "caught": sum(_complains(each, name) for each in flawed),
            "false_alarms": sum(_complains(each, name) for each in sound),
            "only_it_caught": sum(_complains(each, name) and each.passes_without(name) for each in flawed),
            "seconds": round(_mean(_seconds((*flawed, *sound), name)), 2),
        }
        for name in names
    }


def _complains(outcome: Outcome, name: str) -> bool:
    return any(check.id == name for check in outcome.qualification.complaints)


def _seconds(outcomes: Iterable[Outcome], name: str) -> list[float]:
    checks = (check for each in outcomes for check in each.qualification.checks)
    return [check.seconds for check in checks if check.id == name and check.verdict != "not_run"]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _number(name: str) -> int:
    return int(name[1:])

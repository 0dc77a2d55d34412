"""The gate measured on the zoo: what it refuses of the flawed, what it passes of the sound, and which check did it."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scipy.stats import binomtest

from evals.grading import Grader
from evals.task import Task
from harness_builder.gate import Gate
from harness_builder.qualification import Qualification
from harness_builder.zoo.baselines import BASELINES
from harness_builder.zoo.specimen import FAMILIES, SET_ASIDE, Specimen



@dataclass(frozen=True)
class Outcome:
    """What the gate and the baselines made of one specimen."""

    specimen: Specimen
    qualification: Qualification
    baselines: dict[str, bool] = field(default_factory=dict)
    """Name → whether it would have passed; empty where they were left out."""

    @property
    def passed(self) -> bool:
        return self.qualification.verdict == "qualified"

    def passes_without(self, check: str) -> bool:
        """Whether it would have passed, had one check not been made; checks that never ran are not known to object."""
        return all(each.id == check for each in self.qualification.complaints)

    def told(self) -> str:
        """One line; of families that are set aside not what happened, so that nothing is tuned to them."""
        if self.specimen.family in SET_ASIDE:
            return f"{self.specimen.task_name}: one of a family that is set aside"
        right = "right" if self.passed != self.specimen.is_flawed else "WRONG"
        names = " ".join(check.id for check in self.qualification.complaints)
        return f"{right}: {self.specimen.id}: {self.qualification.verdict} {names}".rstrip()

    def as_json(self) -> dict[str, Any]:
        return {
            "specimen": self.specimen.id,
            "family": self.specimen.family,
            "subtle": self.specimen.subtle,
            "odd": self.specimen.odd,
            "verdict": self.qualification.verdict,
            "complaints": [check.id for check in self.qualification.complaints],
            "evidence": self.qualification.advice()[:600],
            "baselines": self.baselines,
            "seconds": round(self.qualification.seconds, 1),
        }


def run_zoo(
    zoo: Sequence[Specimen],
    grader_for: Callable[[Task], Grader],
    tell: Callable[[Outcome], None] = lambda _: None,
    *,
    baselines: bool = True,
) -> dict[str, Any]:
    """Put every specimen through the gate and the baselines; the report."""
    started, gates = time.monotonic(), {}
    outcomes = []
    for specimen in zoo:
        digest = specimen.task.digest
        if digest not in gates:
            gates[digest] = Gate(specimen.task, grader_for(specimen.task), candid=True)
        gate = gates[digest]
        qualification = gate.qualify(specimen.harness)
        passing = gate.try_on(specimen.harness, BASELINES) if baselines else {}
        outcomes.append(Outcome(specimen, qualification, passing))
        tell(outcomes[-1])
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

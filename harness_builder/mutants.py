"""Mutants of a correct submission, run: which of them give outputs that are certainly wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evals.grading import Collected
from harness_builder.evidence import Evidence
from harness_builder.mutate import Program, mutants

MOST = 32
ENOUGH = 6
"""Fewer than so many that the time allows are not worth a verdict."""
SPENT_SEC = 40.0
"""Processor time for all of them."""
START_SEC = 0.3
PATIENCE = 5.0
"""A mutant may take so many times as long as the correct submission, and so many seconds more."""


@dataclass(frozen=True)
class Mutant:
    """A mutant with the outputs it gave on validation."""

    name: str
    told_diff: str
    outputs: Mapping[str, Any]


@dataclass(frozen=True)
class Mutants:
    """Those that are certainly wrong somewhere, out of how many; `reason` says why none were made."""

    wrong: tuple[Mutant, ...] = ()
    tried: int = 0
    reason: str = ""


def mutants_of(evidence: Evidence) -> Mutants:
    """Mutants of the task's oracle, else of the harness's last variant."""
    if not evidence.right_submissions:
        return Mutants(reason="there is no correct submission")
    name, submission = next(reversed(evidence.right_submissions.items()))
    seconds = evidence.collect(submission, evidence.validation).seconds
    limit = min(MOST, int(SPENT_SEC / (seconds + START_SEC)))
    if limit < ENOUGH:
        return Mutants(reason=f"a correct submission takes {seconds:.0f} s")
    programs = mutants(submission, limit)
    if not programs:
        return Mutants(reason=f"{name} holds no Python")
    impatient = replace(evidence.grader, submission_sec=PATIENCE * (1 + seconds))
    collected = evidence.slots.each(
        programs, lambda program: evidence.run(program.tree, evidence.validation, impatient)
    )
    secret = name == "the author's solution" and not evidence.candid
    wrong = [
        Mutant(f"mutant {number} ({_shown(program, secret)})", "" if secret else f" [{program.diff}]", each.outputs)
        for number, (program, each) in enumerate(zip(programs, collected, strict=True), start=1)
        if _is_wrong(evidence, each)
    ]
    return Mutants(tuple(wrong), len(programs))


def _shown(program: Program, secret: bool) -> str:
    return program.operator if secret else program.name


def _is_wrong(evidence: Evidence, collected: Collected) -> bool:
    return bool(collected.outputs) and bool(evidence.certainly_wrong(collected.outputs))

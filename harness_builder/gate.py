"""The gate: what a harness must show before its scores count.

A harness is run against outputs and submissions whose verdict is known: right ones (the task's oracle, the harness's
own variants, right outputs written otherwise) must be accepted; wrong ones (nulls, degraded outputs, mutants, tricks,
claims, the harness's own probes) must be refused; and nothing but the outputs may matter. All of it runs in the
solution and grading containers of evals/grading.py, so the gate judges exactly what will be used later. Every check is
a file of harness_builder/checks, with what it catches; docs/qualification.md says what it cannot.

Most gradings share warm boxes; what a harness could do with that (behave while it is looked at) shows in the fresh
boxes of Q5, Q6 and Q11.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import ModuleType

from evals.grading import Collected, Grader
from evals.harness import Harness, parse_harness
from evals.splits import Split
from evals.task import Task
from harness_builder.checks import (
    circumstances,
    coverage,
    doses,
    exploits,
    exposure,
    failures,
    labels,
    leaks,
    metric,
    nulls,
    power,
    repeats,
    selfreports,
    strictness,
    wrongness,
)
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, Undecided
from harness_builder.qualification import Check, Qualification
from harness_builder.slots import Slots
from harness_builder.source import unreadable
from tools.errors import ToolError
from tools.files import FileTree
from tools.warm import WarmSandboxes

PARALLEL = max(2, min(8, os.cpu_count() or 2))
"""Gradings at the same time, over all checks: more than the processors can serve would run into their time limits."""
LONGEST_SEC = 7_200.0
"""What one qualification may take: some hundred gradings, of which each is bounded by the harness's own limit."""
OF_THE_TASK = (leaks, exposure)
"""Say nothing of the harness but of what it stands on."""
OF_THE_HARNESS = (nulls, doses, wrongness, exploits, circumstances, labels, failures, selfreports, power)
"""Independent of each other, run side by side."""
LAST = (coverage, metric)
"""Look at all that the others had judged."""
EVERY = (strictness, *OF_THE_TASK, *OF_THE_HARNESS, repeats, *LAST)


class Gate:
    """Qualifies harnesses for one task with one grader."""

    def __init__(
        self,
        task: Task,
        grader: Grader,
        *,
        candid: bool = False,
        known_test: tuple[Split, ...] = (),
        may_go_on: Callable[[], None] = lambda: None,
    ) -> None:
        """`candid`: evidence may quote the author's solution. `known_test`: the test split, if it is no secret here.

        `may_go_on` is called before each grading; it raises what is to end the qualification, a spent budget say.
        """
        self.task, self.grader = task, grader
        self._candid, self._known_test, self._may_go_on = candid, known_test, may_go_on
        self._outputs: dict[tuple[str, str], Collected] = {}

    def qualify(self, tree: FileTree) -> Qualification:
        """Run the checks, cheap ones first; stop early only where the rest would mean nothing."""
        started = time.monotonic()
        try:
            harness = parse_harness(tree)
        except ToolError as error:
            checks: tuple[Check, ...] = (Check("Q0", "contract kept", "fail", str(error)),)
        else:
            checks = self._checks_of(harness)
        done = {check.id for check in checks}
        rest = [Check(check.ID, check.TITLE, "not_run") for check in EVERY if check.ID not in done]
        return Qualification(tree.digest, (*checks, *rest), time.monotonic() - started)

    def _checks_of(self, harness: Harness) -> tuple[Check, ...]:
        if problem := unreadable(harness):
            return (Check("Q0", "contract kept", "fail", f"{problem}.", "Mend it: nothing can be graded with it."),)
        with WarmSandboxes(self.grader.sandboxes) as warm:
            try:
                return (Check("Q0", "contract kept", "pass"), *self._checks(self._evidence(harness, warm)))
            except KeyboardInterrupt:
                warm.abandon()  # wherever it came: threads that grade must not outlast it
                raise

    def try_on(self, tree: FileTree, trials: Mapping[str, Callable[[Evidence], bool]]) -> dict[str, bool]:
        """What other ways to check a harness say of it, on the same evidence; False where they could not tell."""

        def holds(trial: Callable[[Evidence], bool], evidence: Evidence) -> bool:
            try:
                return trial(evidence)
            except Undecided:
                return False

        try:
            harness = parse_harness(tree)
        except ToolError:
            return dict.fromkeys(trials, False)
        with WarmSandboxes(self.grader.sandboxes) as warm:
            evidence = self._evidence(harness, warm)
            return {name: holds(trial, evidence) for name, trial in trials.items()}

    def _evidence(self, harness: Harness, warm: WarmSandboxes) -> Evidence:
        return Evidence(
            self.task,
            harness,
            grader=replace(self.grader, sandboxes=warm),
            fresh=self.grader,
            slots=Slots(PARALLEL, self._may_go_on, abandon=warm.abandon, seconds=LONGEST_SEC),
            candid=self._candid,
            known_test=self._known_test,
            outputs_of=self._outputs,
        )

    def _checks(self, evidence: Evidence) -> Iterable[Check]:
        covered = _look(coverage, evidence, coverage.mapped)
        if covered.verdict != "pass":
            yield covered
        strict = _look(strictness, evidence)
        yield strict
        if strict.verdict != "pass":
            return  # a harness that refuses what is right refuses what is wrong too, which would prove nothing
        yield from _side_by_side((*OF_THE_TASK, *OF_THE_HARNESS), evidence)
        yield _look(repeats, evidence)  # alone: it wants a quiet machine, and makes slow ones itself
        for check in LAST:
            if check is not coverage or covered.verdict == "pass":
                yield _look(check, evidence)


def _side_by_side(checks: tuple[ModuleType, ...], evidence: Evidence) -> list[Check]:
    with ThreadPoolExecutor(evidence.slots.count) as pool:
        try:
            return list(pool.map(lambda check: _look(check, evidence), checks))
        except BaseException as reason:
            evidence.slots.stop(reason)  # or all that is still queued would be waited for
            raise


def _look(check: ModuleType, evidence: Evidence, look: Callable[[Evidence], Finding] | None = None) -> Check:
    started = time.monotonic()
    try:
        finding = (look or check.look)(evidence)
    except Undecided as reason:
        finding = Finding("unknown", str(reason), reason.remedy)
    seconds = round(time.monotonic() - started, 3)
    return Check(check.ID, check.TITLE, finding.verdict, finding.evidence, finding.remedy, seconds)

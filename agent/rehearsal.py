"""Trying candidates on the public cases, in the workspace and with the agent's own harness.

It guides the search and decides nothing: the code of candidates and the harness's metrics run where the agent lives, so
what comes back is a hint. Scores come from evals/grading.py only.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, FiniteFloat, TypeAdapter, ValidationError

from agent.candidate import Candidate
from agent.run import Run
from evals.harness import Harness
from tools.base import readable
from tools.errors import ToolError
from tools.files import FileTree

HOME = "/workspace/.rehearsal"
CANDIDATE_SEC = 20.0
PARALLEL = 2
SHOWN = 400
LOG_BYTES = 400
FAR = 1e300
"""Beyond it no number is near; an integer may even be too large to be compared as a float."""


class Trial(BaseModel):
    """One case: the output, or why there is none."""

    id: str
    seconds: FiniteFloat = CANDIDATE_SEC
    output: Any = None
    error: str | None = None


class Result(BaseModel):
    """What became of one candidate. It comes from where candidates run, so its shape is checked as it is read."""

    trials: list[Trial] = []
    metrics: dict[str, dict[str, FiniteFloat]] = {}
    error: str = ""

    @property
    def outputs(self) -> dict[str, Any]:
        return {trial.id: trial.output for trial in self.trials if trial.error is None}


class Rehearsal:
    """Rehearses candidates of one run under one harness."""

    def __init__(self, run: Run, harness: Harness) -> None:
        self._run = run
        self._metric = harness.metric.name
        program = files("agent").joinpath("box/rehearse.py").read_bytes()
        run.workspace.put(harness.grading_tree, "/workspace/harness")
        run.workspace.put(FileTree({"rehearse.py": program}), HOME)

    def try_out(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates with their means, times and findings."""
        if not candidates:
            return []
        results = self._results(candidates)
        return [self._judged(candidate, result) for candidate, result in zip(candidates, results, strict=True)]

    def _results(self, candidates: Sequence[Candidate]) -> list[Result]:
        seconds = min(self._run.task.ours.submission.timeout_sec, CANDIDATE_SEC)
        job = {
            "candidates": [
                {"code": each.code, "function": each.target.function, "field": each.target.field} for each in candidates
            ],
            "cases": [case.as_dict() for case in self._run.task.public.cases],
            "seconds": seconds,
            "parallel": PARALLEL,
        }
        box = self._run.workspace
        box.put(FileTree({"job.json": json.dumps(job).encode()}), HOME)
        patience = seconds * (len(candidates) / PARALLEL + 1) + 60
        done = box.run(["python3", "rehearse.py"], timeout=patience, cwd=HOME)
        try:
            written = TypeAdapter(list[Any]).validate_json(box.get(f"{HOME}/results.json").files["results.json"])
            if len(written) != len(candidates):
                raise ValueError(f"results.json has {len(written)} entries instead of {len(candidates)}")
        except (ToolError, ValueError, RecursionError) as error:
            log = done.stderr[-LOG_BYTES:].decode("utf-8", errors="replace")
            return [Result(error=f"The rehearsal failed: {error} {log}")] * len(candidates)
        return [self._result(each) for each in written]

    def _result(self, written: Any) -> Result:
        try:
            result = Result.model_validate(written)
        except (ValidationError, RecursionError) as error:
            return Result(error=f"The rehearsal left a malformed result: {str(error).splitlines()[0]}")
        ids = {case.id for case in self._run.task.public.cases}
        return result.model_copy(update={"trials": [trial for trial in result.trials if trial.id in ids]})

    def _judged(self, candidate: Candidate, result: Result) -> Candidate:
        cases = self._run.task.public.cases
        names = {name for values in result.metrics.values() for name in values}
        return replace(
            candidate,
            means={
                name: sum(values.get(name, 0.0) for values in result.metrics.values()) / len(cases) for name in names
            },
            ran=len(result.outputs) / len(cases),
            near=self._near(candidate, result.outputs),
            seconds=round(sum(trial.seconds for trial in result.trials), 4),
            finding=readable(self._finding(candidate, result)),
        )

    def _near(self, candidate: Candidate, outputs: Mapping[str, Any]) -> float:
        """How near the outputs come, which tells "half of it" from nonsense when neither is right."""
        cases = self._run.task.public.cases
        pairs = [(self._expected(candidate, case.expected), outputs.get(case.id)) for case in cases]
        return round(sum(nearness(expected, output) for expected, output in pairs) / len(cases), 6)

    @staticmethod
    def _expected(candidate: Candidate, expected: Any) -> Any:
        return expected[candidate.target.field] if candidate.target.field else expected

    def _finding(self, candidate: Candidate, result: Result) -> str:
        """The first case that went wrong, in words the model can act on."""
        metric = candidate.target.field or self._metric
        by_id = {case.id: case for case in self._run.task.public.cases}
        for trial in result.trials:
            case = by_id[trial.id]
            if trial.error is not None:
                return f"For the input {_short(case.input)} it raised {trial.error}"
            if result.metrics.get(case.id, {}).get(metric, 0.0) < 1.0:
                got, wanted = _short(trial.output), _short(self._expected(candidate, case.expected))
                return f"For the input {_short(case.input)} it returned {got}, expected {wanted}."
        return result.error


def nearness(expected: Any, output: Any) -> float:
    """1 - relative error, not below 0; of lists and objects the mean over their parts; 0 for anything else wrong."""
    if isinstance(expected, dict) and set(expected) == {"low", "high"}:
        middle = (expected["low"] + expected["high"]) / 2
        return nearness(middle, output)
    if isinstance(expected, dict):
        parts = (
            [nearness(part, output.get(name)) for name, part in expected.items()] if isinstance(output, dict) else []
        )
        return sum(parts) / len(expected) if parts else 0.0
    if isinstance(expected, list):
        same = isinstance(output, list) and len(output) == len(expected) and bool(expected)
        return sum(map(nearness, expected, output)) / len(expected) if same else 0.0
    if isinstance(expected, int | float) and isinstance(output, int | float) and -FAR < output < FAR:
        return max(0.0, 1.0 - abs(output - expected) / (abs(expected) + 1e-12))
    return float(expected == output)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"

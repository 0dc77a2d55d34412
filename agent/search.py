"""Tree search: many candidates from one shared prefix, the best branches kept and mended.

Each round asks the model for `width` functions side by side. All prompts begin with the same task text, so the engine
computes that prefix once. Part of a round starts afresh; the rest mends the best branches, each told the exact error or
the first wrong case of its parent. Candidates are rehearsed on the public cases in the workspace, with the agent's own
harness; a submission is assembled from the best candidate for each field, and only that is formally scored.

The archive lives in the ledger (`candidate.rehearsed`), so a resumed run goes on with the branches it had.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from agent.candidate import Candidate, Target, assemble, code_in, targets
from agent.model import Message, Request
from agent.nodes.study import task_text
from agent.prompts import render
from agent.run import Run
from harness_builder.scaffold import output_fields
from tools.errors import ToolError
from tools.files import FileTree

BRANCHES = 4
"""Best candidates a field's repairs start from."""
MAX_TOKENS = 512
REHEARSAL_SEC = 20.0
SHOWN = 400


class TreeSearch:
    """One run's search under one qualified harness."""

    def __init__(self, run: Run, harness_digest: str) -> None:
        self._run = run
        self._harness = run.harness(harness_digest)
        self._targets = {target.field: target for target in targets(run.task.public)}
        self._fields = output_fields(run.task.public)
        self._archive = [self._recalled(payload) for _, payload in run.journal.all("candidate.rehearsed")]
        self._prefix: tuple[Message, ...] = (
            {"role": "system", "content": "You are an expert Python programmer."},
            {"role": "user", "content": task_text(run)},
        )
        run.workspace.put(self._harness.grading_tree, "/workspace/harness")

    def next_submissions(self) -> list[FileTree]:
        """Search until the best assembly is one that was not submitted yet; that submission."""
        submitted = {payload["digest"] for _, payload in self._run.journal.all("submission.frozen")}
        while True:
            self._round()
            tree = self._assembly()
            if tree is not None and tree.digest not in submitted:
                return [tree]

    def _round(self) -> None:
        requests = self._requests()
        replies = self._run.ask_each([request for _, request in requests])
        sampled = [
            (target, code_in(reply.content, target)) for (target, _), reply in zip(requests, replies, strict=True)
        ]
        known = {candidate.code for candidate in self._archive}
        fresh: dict[str, Candidate] = {}
        for target, code in sampled:
            if code is not None and code not in known:
                fresh.setdefault(code, Candidate(target, code))
        rehearsed = self._rehearse(list(fresh.values()))
        for candidate in rehearsed:
            self._run.journal.append("candidate.rehearsed", candidate.as_json())
        self._archive += rehearsed
        self._run.journal.append("search.round", self._standing(len(requests), len(fresh)))

    def _standing(self, asked: int, fresh: int) -> dict[str, Any]:
        best = {name: best.means.get(name, 0.0) for name in self._metrics() if (best := self._best(name))}
        return {"asked": asked, "new": fresh, "archive": len(self._archive), "best": best}

    # What to ask

    def _requests(self) -> list[tuple[Target, Request]]:
        """This round's questions: fresh ones and repairs by turns, spread over what is not solved yet."""
        asked: list[tuple[Target, Request]] = []
        seed = self._run.settings.seed * 100_003 + len(self._run.journal.all("search.round")) * 1_009
        for index in range(self._run.settings.width):
            target = self._target(index)
            parent = self._parent(target, index // 2) if index % 2 else None
            asked.append((target, self._request(target, parent, seed + index, 0.4 + 0.6 * (index % 5) / 4)))
        return asked

    def _target(self, index: int) -> Target:
        """Unsolved fields by turns, and the whole output once in a while, since it may fall all at once."""
        unsolved = [name for name in self._metrics() if name in self._targets and not self._is_solved(name)]
        choices = [*unsolved, None] if unsolved else [None]
        return self._targets[choices[(index // 2) % len(choices)]]

    def _parent(self, target: Target, turn: int) -> Candidate | None:
        """A branch to mend: one of the best that are not right yet."""
        metric = target.field or self._run_metric
        branches = [each for each in self._archive if each.target == target and each.means.get(metric, 0.0) < 1.0]
        branches = sorted(branches, key=lambda each: each.merit(metric), reverse=True)[:BRANCHES]
        return branches[turn % len(branches)] if branches else None

    def _request(self, target: Target, parent: Candidate | None, seed: int, temperature: float) -> Request:
        ask = render("write_function", signature=target.signature, returns=target.returns)
        turns: list[Message] = [{"role": "user", "content": ask}]
        if parent is not None:
            turns.append({"role": "assistant", "content": f"```python\n{parent.code}```"})
            turns.append(
                {"role": "user", "content": render("repair", finding=parent.finding, signature=target.signature)}
            )
        return Request(
            purpose="attempt",
            messages=(*self._prefix, {"role": "assistant", "content": "I have read the task."}, *turns),
            prefill=target.prefill,
            temperature=temperature,
            max_tokens=MAX_TOKENS,
            stop=("```\n", "\n\n\n\n"),
            seed=seed,
        )

    # What came of it

    def _rehearse(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        if not candidates:
            return []
        results = self._tried(candidates)
        return [self._judged(candidate, result) for candidate, result in zip(candidates, results, strict=True)]

    def _tried(self, candidates: Sequence[Candidate]) -> list[dict[str, Any]]:
        seconds = min(self._run.task.ours.submission.timeout_sec, REHEARSAL_SEC)
        job = {
            "candidates": [
                {"code": c.code, "function": c.target.function, "field": c.target.field} for c in candidates
            ],
            "cases": [case.as_dict() for case in self._run.task.public.cases],
            "seconds": seconds,
            "parallel": 2,
        }
        program = files("agent").joinpath("box/rehearse.py").read_bytes()
        home = "/workspace/.rehearsal"
        self._run.workspace.put(FileTree({"rehearse.py": program, "job.json": json.dumps(job).encode()}), home)
        patience = seconds * (len(candidates) / 2 + 1) + 30
        done = self._run.workspace.run(["python3", f"{home}/rehearse.py"], timeout=patience, cwd=home)
        try:
            results = json.loads(self._run.workspace.get(f"{home}/results.json").files["results.json"])
        except (ToolError, ValueError) as error:
            log = done.stderr[-SHOWN:].decode("utf-8", errors="replace")
            results = [{"trials": [], "metrics": {}, "error": f"the rehearsal failed: {error} {log}"}] * len(candidates)
        return list(results)

    def _judged(self, candidate: Candidate, result: dict[str, Any]) -> Candidate:
        cases = self._run.task.public.cases
        metrics: dict[str, dict[str, float]] = result["metrics"]
        names = {name for values in metrics.values() for name in values}
        means = {name: sum(values.get(name, 0.0) for values in metrics.values()) / len(cases) for name in names}
        ran = sum("output" in trial for trial in result["trials"]) / len(cases)
        return replace(candidate, means=means, ran=ran, finding=self._finding(candidate, result))

    def _finding(self, candidate: Candidate, result: dict[str, Any]) -> str:
        """The first case that went wrong, in words the model can act on."""
        metric = candidate.target.field or self._run_metric
        by_id = {case.id: case for case in self._run.task.public.cases}
        for trial in result["trials"]:
            case = by_id[trial["id"]]
            if "error" in trial:
                return f"For the input {_short(case.input)} it raised {trial['error']}"
            if result["metrics"].get(case.id, {}).get(metric, 0.0) < 1.0:
                expected = self._expected(case.expected, candidate.target)
                return f"For the input {_short(case.input)} it returned {_short(trial['output'])}, expected {_short(expected)}."
        return str(result.get("error", ""))

    def _expected(self, expected: Any, target: Target) -> Any:
        return expected[target.field] if target.field and isinstance(expected, dict) else expected

    # The best so far

    @property
    def _run_metric(self) -> str:
        return self._harness.metric.name

    def _metrics(self) -> tuple[str, ...]:
        """What is told apart: the fields of the output where the harness reports them, else its one metric."""
        if len(self._fields) > 1 and all(name in self._targets for name in self._fields):
            return self._fields
        return (self._run_metric,)

    def _providers(self, name: str) -> list[Candidate]:
        """Candidates that compute this field, alone or with all others."""
        target = name if name in self._targets else None
        return [each for each in self._archive if each.target.field in (target, None)]

    def _best(self, name: str) -> Candidate | None:
        return max(self._providers(name), key=lambda each: each.merit(name), default=None)

    def _is_solved(self, name: str) -> bool:
        best = self._best(name)
        return best is not None and best.means.get(name, 0.0) >= 1.0

    def _assembly(self) -> FileTree | None:
        names = self._metrics()
        best = {name: self._best(name) for name in names}
        chosen = {name: each for name, each in best.items() if each is not None and each.means.get(name, 0.0) > 0.0}
        if not chosen:
            return None
        if names == (self._run_metric,):
            return assemble({None: chosen[self._run_metric]})
        by_field: dict[str | None, Candidate] = {**chosen}
        return assemble(by_field)

    def _recalled(self, payload: dict[str, Any]) -> Candidate:
        target = self._targets[payload["field"]]
        return Candidate(target, payload["code"], payload["means"], payload["ran"], payload["finding"])


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"

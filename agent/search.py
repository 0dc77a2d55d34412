"""Tree search: many candidates from one shared prefix, the best branches kept and mended.

Each round asks the model for `width` functions side by side. All prompts begin with the same text, so the engine
computes that prefix once. One half of a round starts afresh, each time from one piece of the paper; the other half
mends the best branches, told the exact error or the first wrong case. Then small edits of the best branches are tried
(agent/mutate.py), which costs no tokens. Candidates are rehearsed on the public cases in the workspace, with the
agent's own harness; a submission takes each field from the candidate that computes it best, and only that is formally
scored.

The archive lives in the ledger (`candidate.rehearsed`), so a resumed run goes on with the branches it had.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from random import Random
from typing import Any

from agent.candidate import Candidate, Target, assemble, code_in, targets
from agent.excerpts import excerpts
from agent.model import Request
from agent.mutate import mutants
from agent.prompts import render
from agent.rehearsal import Rehearsal
from agent.run import Run
from agent.thread import Message
from harness_builder.scaffold import output_fields
from tools.files import FileTree

BRANCHES = 4
"""Best candidates a field's repairs and edits start from."""
EQUALS = 3
"""Candidates of a field that are submitted though equally good on the public cases."""
MAX_TOKENS = 400
MUTANTS = 60
EDITED = 3
"""Branches of each target that are edited in a round."""
MUTATION_ROUNDS = 3
MUTATION_SEC = 30.0
"""What one round of edits may cost; slow candidates are edited less or not at all."""
EXPLORE = 0.35
"""Share of fresh candidates that take any piece of the paper, rather than the most fruitful one."""
# vLLM takes at most four. A line that starts at the margin after the function is no longer part of it.
STOP = ("```", "\n\n\n", "\nprint", "\ndef ")


class TreeSearch:
    """One run's search under one qualified harness."""

    def __init__(self, run: Run, harness_digest: str) -> None:
        self._run = run
        self._metric = run.harness(harness_digest).metric.name
        self._targets = {target.field: target for target in targets(run.task.public)}
        self._fields = output_fields(run.task.public)
        self._excerpts = excerpts(run.task.paper)
        self._rehearsal = Rehearsal(run, run.harness(harness_digest))
        self._archive = [self._recalled(payload) for _, payload in run.journal.all("candidate.rehearsed")]
        self._rounds = len(run.journal.all("search.round"))
        self._prefix: tuple[Message, ...] = (
            {"role": "system", "content": "You are an expert Python programmer."},
            {"role": "user", "content": self._introduction()},
            {"role": "assistant", "content": "Understood."},
        )

    def next_submissions(self) -> list[FileTree]:
        """Search until the best assembly is one that was not submitted yet; that submission."""
        submitted = {payload["digest"] for _, payload in self._run.journal.all("submission.frozen")}
        while True:
            self._round()
            for tree in self._assemblies():
                if tree.digest not in submitted:
                    return [tree]

    def _introduction(self) -> str:
        task = self._run.task
        requirements = "\n".join(f"- {each.text}" for each in task.ours.requirements)
        return render("tree_task", description=task.config.task.description, requirements=requirements)

    def _round(self) -> None:
        chance = Random(self._run.settings.seed * 100_003 + self._rounds)
        asked = [self._question(index, chance) for index in range(self._run.settings.width)]
        replies = self._run.ask_each([request for _, request in asked])
        known = {candidate.code for candidate in self._archive}
        fresh: dict[str, Candidate] = {}
        for (draft, _), reply in zip(asked, replies, strict=True):
            code = code_in(reply.content, draft.target, helpers=draft.code)
            if code is not None and code not in known:
                fresh.setdefault(code, Candidate(draft.target, code, draft.excerpt, draft.origin))
        self._keep(self._rehearsal.try_out(list(fresh.values())))
        edits = self._mutate()
        self._rounds += 1
        self._run.journal.append("search.round", self._standing(len(asked), len(fresh), edits))

    def _keep(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            self._run.journal.append("candidate.rehearsed", candidate.as_json())
        self._archive += candidates

    def _standing(self, asked: int, fresh: int, edits: int) -> dict[str, Any]:
        best = {name: best.means.get(name, 0.0) for name in self._metrics() if (best := self._best(name))}
        return {"asked": asked, "new": fresh, "edits": edits, "archive": len(self._archive), "best": best}

    # What to ask

    def _question(self, index: int, chance: Random) -> tuple[Candidate, Request]:
        """One question, and the candidate it is to become: the even ones start afresh, the odd ones mend a branch."""
        target = self._target(index, chance)
        branches = self._branches(target)
        parent = branches[(index // 2) % len(branches)] if index % 2 and branches else None
        excerpt = parent.excerpt if parent else self._excerpt(target, chance)
        solved = self._solved_beside(target)
        helpers = "".join(dict.fromkeys(each.functions for each in solved.values()))
        draft = Candidate(target, helpers, excerpt, "repaired" if parent else "sampled")
        known = [each.target.call(name) for name, each in solved.items()]
        temperature = chance.uniform(0.4, 1.0)
        return draft, self._request(draft, parent, known, chance.randrange(2**31), temperature)

    def _solved_beside(self, target: Target) -> dict[str, Candidate]:
        """Fields that are right already: a function for another field may build on them."""
        if target.field is None or not all(map(str.isidentifier, self._fields)):
            return {}
        return {name: best for name in self._metrics() if self._is_solved(name) and (best := self._best(name))}

    def _target(self, index: int, chance: Random) -> Target:
        """Unsolved fields by turns, and the whole output once in a while, since it may fall all at once."""
        unsolved = [name for name in self._metrics() if name in self._targets and not self._is_solved(name)]
        choices: list[str | None] = [*unsolved, None] if unsolved else [None]
        return self._targets[choices[(index // 2 + self._rounds) % len(choices)]]

    def _excerpt(self, target: Target, chance: Random) -> int:
        """The piece of the paper whose candidates did best so far, or any."""
        tried = [each for each in self._archive if each.target == target and each.origin == "sampled"]
        if len(tried) < len(self._excerpts) or chance.random() < EXPLORE:
            return chance.randrange(len(self._excerpts))
        return max(tried, key=lambda each: each.merit(self._metric_of(target))).excerpt

    def _branches(self, target: Target) -> list[Candidate]:
        """The best candidates for a target that are not right yet."""
        metric = self._metric_of(target)
        wrong = [each for each in self._archive if each.target == target and each.means.get(metric, 0.0) < 1.0]
        return sorted(wrong, key=lambda each: each.merit(metric), reverse=True)[:BRANCHES]

    def _request(
        self, draft: Candidate, parent: Candidate | None, known: Sequence[str], seed: int, temperature: float
    ) -> Request:
        target = draft.target
        ask = render(
            "write_function",
            excerpt=self._excerpts[draft.excerpt],
            signature=target.signature,
            returns=target.returns,
            example=target.example(self._run.task.public),
        )
        turns: list[Message] = [{"role": "user", "content": ask}]
        if parent is not None:
            turns.append({"role": "assistant", "content": f"```python\n{parent.code}```"})
            turns.append(
                {"role": "user", "content": render("repair", finding=parent.finding, signature=target.signature)}
            )
        return Request(
            purpose="attempt",
            messages=(*self._prefix, *turns),
            prefill=target.prefill(known),
            temperature=temperature,
            max_tokens=MAX_TOKENS,
            stop=STOP,
            seed=seed,
        )

    # Small edits

    def _mutate(self) -> int:
        """Climb by single edits from the best branches of each target; how many edits were tried."""
        tried = 0
        for target in self._targets.values():
            metric = self._metric_of(target)
            for branch in self._branches(target)[:EDITED]:
                tried += self._climb(branch, metric)
        return tried

    def _climb(self, branch: Candidate, metric: str) -> int:
        tried = 0
        for _ in range(MUTATION_ROUNDS):
            edited = self._edits(branch)
            tried += len(edited)
            best = max(self._rehearsal.try_out(edited), key=lambda each: each.merit(metric), default=None)
            if best is None or best.merit(metric)[:3] <= branch.merit(metric)[:3]:
                break
            # Only what is better than its parent is worth remembering.
            self._keep([best])
            branch = best
        return tried

    def _edits(self, parent: Candidate) -> list[Candidate]:
        if parent.means.get(self._metric_of(parent.target), 0.0) >= 1.0:
            return []
        affordable = min(MUTANTS, int(MUTATION_SEC / max(parent.seconds, 0.01)))
        known = {candidate.code for candidate in self._archive}
        arrays = parent.target.array_parameters(self._run.task.public)
        sources = mutants(parent.code, parent.target.function, array_parameters=arrays)
        new = (source for source in sources if source not in known)
        return [Candidate(parent.target, source, parent.excerpt, "mutated") for source in islice(new, affordable)]

    # The best so far

    def _metrics(self) -> tuple[str, ...]:
        """What is told apart: the fields of the output where they can be asked for singly, else the one metric."""
        if len(self._fields) > 1 and all(name in self._targets for name in self._fields):
            return self._fields
        return (self._metric,)

    def _metric_of(self, target: Target) -> str:
        return target.field or self._metric

    def _ranked(self, name: str) -> list[Candidate]:
        """The candidates that compute a field, alone or with all others, best first."""
        field = name if name in self._targets else None
        providers = [each for each in self._archive if each.target.field in (field, None)]
        return sorted(providers, key=lambda each: each.merit(name), reverse=True)

    def _best(self, name: str) -> Candidate | None:
        return next(iter(self._ranked(name)), None)

    def _is_solved(self, name: str) -> bool:
        best = self._best(name)
        return best is not None and best.means.get(name, 0.0) >= 1.0

    def _assemblies(self) -> Iterator[FileTree]:
        """Submissions from the best candidates. Where several are equally good on the public cases, validation may
        still tell them apart, so each gets its turn."""
        equals: list[list[tuple[str, Candidate]]] = []
        for name in self._metrics():
            ranked = [each for each in self._ranked(name) if each.means.get(name, 0.0) > 0.0]
            best = [each for each in ranked if each.means[name] == ranked[0].means[name]]
            equals += [[(name, each) for each in best[:EQUALS]]] if best else []
        for combination in product(*equals) if equals else ():
            by_field: dict[str | None, Candidate] = {**dict(combination)}
            yield assemble(by_field if self._metrics() == self._fields else {None: by_field[self._metric]})

    def _recalled(self, payload: dict[str, Any]) -> Candidate:
        facts = {key: value for key, value in payload.items() if key != "field"}
        return Candidate(target=self._targets[payload["field"]], **facts)

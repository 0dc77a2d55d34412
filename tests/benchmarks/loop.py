"""What a step of a depth search costs beside the model and the tool, and whether that stays so over thousands of steps.

A scripted model calls `bash` again and again in one phase of a real run: real graph, real ledger, real containers. Each
figure is one JSON line `{"name", "value", "unit", "baseline", "ratio", "spread"}`; a baseline is measured in the same
process, beside the thing itself, and `spread` is the distance between the quartiles.

    python tests/benchmarks/loop.py [--steps N] [--task TASK]
"""

import argparse
import json
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from agent.budget import Limits
from agent.journal import Journal
from agent.launch import Order, Workshop, start
from agent.model import Reply, Request, Usage
from agent.preparation import image_of, open_sandboxes, seal_for
from agent.run import Settings
from agent.transcript import Transcript
from evals.ledger import Ledger
from evals.task import Task, load_task
from tools.base import ToolCall, ToolContext, ToolResult
from tools.docker import DockerSandboxes
from tools.registry import Registry
from tools.sandbox import BoxSpec

WINDOW = 40
"""Steps on either side of the one a figure is given for."""
CALLS = 300
ECHO = ["bash", "-c", "echo one"]
PAYLOAD = "x" * 2_000


@dataclass
class Clock:
    """When each answer was given, when the next question came, and what of the time between was the tool's."""

    answered: list[float] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    tool: list[float] = field(default_factory=list)

    def overheads(self) -> list[float]:
        """Milliseconds between an answer and the next question that were not the tool's; one a step."""
        pairs = zip(self.answered, self.asked[1:], self.tool, strict=False)
        return [1e3 * (asked - answered - tool) for answered, asked, tool in pairs]


class Steady:
    """A model that studies, hands in the scaffold, and then calls `bash` `steps` times before it ends the run."""

    name, guided = "scripted:steady", True

    def __init__(self, steps: int, clock: Clock) -> None:
        self._left, self._clock = steps, clock

    def complete(self, request: Request) -> Reply:
        now = time.perf_counter()
        if request.purpose == "study":
            return Reply("Compute what is asked.")
        if request.purpose == "build_harness":
            return _call("submit", path="harness")
        self._clock.asked.append(now)
        self._left -= 1
        reply = _call("bash", command=f"echo step {self._left}") if self._left >= 0 else Reply("That is all.")
        self._clock.answered.append(time.perf_counter())
        return reply

    def sample(self, requests: Sequence[Request]) -> Iterator[Reply]:
        return map(self.complete, requests)


class Timed(Registry):
    """The registry, with the time of each call noted."""

    clock: Clock

    def call(self, call: ToolCall, context: ToolContext) -> ToolResult:
        started = time.perf_counter()
        try:
            return super().call(call, context)
        finally:
            if call.name == "bash":
                self.clock.tool.append(time.perf_counter() - started)


def _call(name: str, **arguments: Any) -> Reply:
    return Reply("", (ToolCall(f"call-{time.monotonic_ns()}", name, arguments),), Usage(prompt=10, output=10))


def report(name: str, values: Sequence[float], unit: str, baseline: float | None = None) -> None:
    """One line; `values` are repetitions of one measurement."""
    value = statistics.median(values)
    low, _, high = statistics.quantiles(values, n=4) if len(values) > 3 else (value, value, value)
    ratio = round(value / baseline, 3) if baseline else None
    line = {"name": name, "value": round(value, 4), "unit": unit, "baseline": baseline and round(baseline, 4)}
    print(json.dumps({**line, "ratio": ratio, "spread": round(high - low, 4)}), flush=True)


def measure_run(task: Task, steps: int, folder: Path) -> None:
    """One run of so many steps; its overheads, its bytes a step, and what it costs to take it up again."""
    clock = Clock()
    registry = Timed.load()
    registry.clock = clock  # type: ignore[attr-defined]
    sandboxes = open_sandboxes(print)
    settings = Settings(search="depth", max_turns=steps + 2)
    with Ledger.open(folder / "runs.db") as ledger:
        image = image_of(task, print)
        sizes = Sizes(folder / "runs.db", clock)
        shop = Workshop(ledger, sandboxes, image, registry, (sizes,))
        order = Order(task, settings, Limits(steps=steps + 4))
        run_id = start(order, Steady(steps, clock), lambda: seal_for(task, ledger, sandboxes, image), shop, facts={})
        overheads = clock.overheads()
        first = overheads[50 - WINDOW : 50 + WINDOW]
        for at in (50, 500, 5_000):
            if steps >= at + WINDOW:
                window = overheads[at - WINDOW : at + WINDOW]
                report(f"step overhead at {at}", window, "ms", statistics.median(first))
        for at, size in sizes.a_step().items():
            report(f"bytes a step beyond its payload at {at}", [size], "B")
        measure_resume(ledger, run_id)


@dataclass
class Sizes:
    """Watches a run: the database's size beside the bytes of its payloads, every so many steps."""

    path: Path
    clock: Clock
    every: int = 500
    payload: int = 0
    seen: dict[int, tuple[int, int]] = field(default_factory=dict)

    def __call__(self, kind: str, payload: Mapping[str, Any]) -> None:
        self.payload += len(json.dumps(payload))
        step = len(self.clock.tool)
        if kind == "tool.result" and step % self.every == 0 and step not in self.seen:
            self.seen[step] = self.size(), self.payload

    def size(self) -> int:
        """Bytes of the pages in use, of the ledger and of the graph's checkpoints."""
        total = 0
        for name in (self.path, self.path.with_name(f"{self.path.name}.checkpoints")):
            with sqlite3.connect(f"file:{name}?mode=ro", uri=True) as connection:
                pages, free, size = (connection.execute(f"PRAGMA {what}").fetchone()[0] for what in PRAGMAS)
                total += (pages - free) * size
        return total

    def a_step(self) -> dict[int, float]:
        """Step → bytes that each of the steps before it added beyond its own payload."""
        steps = sorted(self.seen)
        found = {}
        for earlier, later in pairwise(steps):
            size, payload = (self.seen[later][part] - self.seen[earlier][part] for part in (0, 1))
            found[later] = (size - payload) / (later - earlier)
        return found


PRAGMAS = ("page_count", "freelist_count", "page_size")


def measure_resume(ledger: Ledger, run_id: str) -> None:
    """What a resumption reads: the transcript, and what was spent; not the containers it opens."""

    def taken_up() -> float:
        started = time.perf_counter()
        Transcript(Journal(ledger, ledger.recorder(run_id))).restore()
        return time.perf_counter() - started

    report(f"resume a run of {ledger.run(run_id).events} events", [taken_up() for _ in range(5)], "s")


def measure_tool(image: str) -> None:
    """`bash -c echo` through the box, beside `docker exec` in the same container."""
    with DockerSandboxes().open(BoxSpec(image, "workspace", "benchmark")) as box:
        through = [box.run(ECHO, timeout=10).seconds * 1e3 for _ in range(CALLS)]
        exec_ms = [_timed(lambda: subprocess.run(["docker", "exec", box.name, *ECHO], check=True, capture_output=True))
                   for _ in range(20)]  # fmt: skip
    report("tool call beside docker exec", through, "ms", statistics.median(exec_ms))


def _timed(act: Any) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1e3


def measure_append(folder: Path) -> None:
    """One durable event of 2 KB, beside one durable row of the same size through sqlite3 alone."""
    plain = sqlite3.connect(folder / "plain.db", isolation_level=None)
    plain.execute("PRAGMA journal_mode = WAL")
    plain.execute("PRAGMA synchronous = FULL")
    plain.execute("CREATE TABLE event (payload TEXT)")
    bare = [_timed(lambda: plain.execute("INSERT INTO event VALUES (?)", (PAYLOAD,))) for _ in range(CALLS)]
    plain.close()
    with Ledger.open(folder / "append.db") as ledger:
        recorder = ledger.recorder(ledger.new_run(task="benchmark", task_digest="0", model="none", config={}))
        ours = [_timed(lambda: recorder.append("step.taken", {"text": PAYLOAD})) for _ in range(CALLS)]
    report("event append beside sqlite3", ours, "ms", statistics.median(bare))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=5_100)
    options.add_argument("--task", default="pass_at_k")
    chosen = options.parse_args()
    task = load_task(chosen.task)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure_append(folder)
        measure_tool(image_of(task, print))
        measure_run(task, chosen.steps, folder)


if __name__ == "__main__":
    main()

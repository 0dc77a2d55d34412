"""Starting and resuming a run: its parts are put together, the graph is driven, and how it ended is recorded.

Everything a resumption needs is in the ledger (task, settings, limits, model name) and in the graph's checkpoints
beside it. Whatever happens, containers are closed; what nobody in the run did (an engine that died, a full disk,
Ctrl-C) pauses it, recorded and resumable.
"""

import contextlib
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver

from agent.budget import Budget, Limits, Spent
from agent.graph import build_graph
from agent.journal import Journal, Watcher
from agent.model import Model
from agent.run import Run, Settings
from agent.snapshots import Snapshots
from agent.transcript import Transcript
from evals.grading import Grader
from evals.ledger import Ledger, Seal
from evals.task import Task, parse_task
from harness_builder.gate import Gate
from tools.errors import AuthorError, EnvironmentFailure, EvalwrightError
from tools.registry import Registry
from tools.sandbox import BoxSpec, Sandboxes

RECURSION_LIMIT = 100_000
LOCK_SEC = 10.0
"""How long another run's write to the checkpoints is waited for."""
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""What SQLite says of a file that is not, or no longer, a database with the graph's tables."""


@dataclass(frozen=True)
class Order:
    """What is to be done: the task, the settings and the limits."""

    task: Task
    settings: Settings
    limits: Limits


@dataclass(frozen=True)
class Workshop:
    """What every run on this machine shares."""

    ledger: Ledger
    sandboxes: Sandboxes
    image: str
    registry: Registry
    """Loaded before any run is begun: a plugin that is broken stops the start."""
    watchers: tuple[Watcher, ...] = ()


def start(order: Order, model: Model, seal: Callable[[], Seal], shop: Workshop, *, facts: dict[str, Any]) -> str:
    """Run a task from the beginning; the run's id. `facts` (versions, weights, image) are recorded with the order.

    `seal` is asked last of all: an audit may have opened the one there was while the model was started.
    """
    config = {"settings": asdict(order.settings), "limits": asdict(order.limits), "image": shop.image, **facts}
    run_id = shop.ledger.new_run(task=order.task.slug, task_digest=order.task.digest, model=model.name, config=config)
    with shop.ledger.drive(run_id):
        journal = Journal(shop.ledger, shop.ledger.recorder(run_id), shop.watchers)
        for watch in shop.watchers:
            watch("run.started", {"run": run_id, "task": order.task.slug, "model": model.name, "config": config})
        blob = shop.ledger.put_tree(order.task.auditable)
        journal.append("task.registered", {"digest": order.task.digest, "blob": blob, "where": order.task.where})
        journal.append("seal.committed", seal().committed(order.task.digest))
        _drive(order, model, journal, shop, resumed=False)
    return run_id


def resume(run_id: str, model: Model, shop: Workshop, *, reseal: Callable[[], Seal | None] = lambda: None) -> None:
    """Go on with a run from its last committed event; `reseal` gives a new seal where its own is no longer closed."""
    with shop.ledger.drive(run_id):
        order = order_of(shop.ledger, run_id)
        journal = Journal(shop.ledger, shop.ledger.recorder(run_id), shop.watchers)
        seal = reseal()
        journal.append("run.resumed", {"run": run_id, "image": shop.image})
        if seal is not None:
            # Not the digest of the task as the ledger keeps it: that one is without test cases that are a file.
            digest = journal.all("task.registered")[-1][1]["digest"]
            journal.append("seal.committed", seal.committed(digest))
        _drive(order, model, journal, shop, resumed=True)


def order_of(ledger: Ledger, run_id: str) -> Order:
    """The order of a recorded run; AuthorError when it has ended, was changed, or never got as far as its task."""
    summary = ledger.run(run_id)
    if changed := ledger.verify(run_id):
        raise AuthorError(
            f"its record was changed, so nothing can be added to it: {changed[0].problem}",
            where=f"run {run_id}" + (f", event {changed[0].seq}" if changed[0].seq else ""),
            remedy=f"`evalwright verify {run_id}` names all that was changed; start a new run",
        )
    if summary.state in ("finished", "failed"):
        raise AuthorError(f"it has ended ({summary.state})", where=f"run {run_id}", remedy="Start a new run")
    config: dict[str, Any] = {}
    registered = None
    for event in ledger.events(run_id, kinds={"run.started", "task.registered"}):
        payload = json.loads(event.payload)
        config = payload["config"] if event.kind == "run.started" else config
        registered = payload if event.kind == "task.registered" else registered
    if registered is None:
        raise AuthorError("it stopped before its task was recorded", where=f"run {run_id}", remedy="Start a new run")
    task = parse_task(ledger.get_tree(registered["blob"]), where=registered["where"])
    return Order(task, Settings(**config["settings"]), Limits(**config["limits"]))


def replies_given(ledger: Ledger, run_id: str) -> Counter[str]:
    """Purpose → how many answers the run already has; what a scripted or recorded model must skip."""
    return Counter(json.loads(event.payload)["purpose"] for event in ledger.events(run_id, kinds={"model.reply"}))


def _drive(order: Order, model: Model, journal: Journal, shop: Workshop, *, resumed: bool) -> None:
    task = order.task
    grader = Grader(
        shop.sandboxes, shop.image, journal.run_id, task.ours.submission.timeout_sec, task.limits, task.public_files
    )
    try:
        with ExitStack() as stack:
            box = stack.enter_context(
                shop.sandboxes.open(BoxSpec(shop.image, "workspace", journal.run_id, task.limits, task.ours.network))
            )
            saver = stack.enter_context(_checkpoints(shop.ledger.path))
            box.put(task.workspace, "/workspace")
            budget = Budget(order.limits, spent_before(shop.ledger, journal.run_id) if resumed else Spent())
            transcript = Transcript(journal)
            run = Run(
                task,
                order.settings,
                journal,
                model,
                budget,
                grader,
                Gate(task, grader, may_go_on=budget.check),
                box,
                shop.registry,
                transcript,
                Snapshots(journal, box),
            )
            thread: Any = {"configurable": {"thread_id": journal.run_id}, "recursion_limit": RECURSION_LIMIT}
            if resumed:
                run.restore_frozen()
                run.restore_answers()
                transcript.restore()
                run.restore_workspace()
            else:
                run.snapshots.begin()
            begun = resumed and saver.get_tuple(thread) is not None
            build_graph(run, saver).invoke(None if begun else run.standing(), config=thread, durability="sync")
            saver.delete_thread(journal.run_id)
    except (EvalwrightError, KeyboardInterrupt) as reason:
        _pause(journal, str(reason) or "stopped by hand")
        raise


def _pause(journal: Journal, reason: str) -> None:
    # When the ledger itself is what failed (a full disk, say), the run shows as interrupted instead.
    with contextlib.suppress(EvalwrightError):
        journal.append("run.paused", {"reason": reason})


@contextlib.contextmanager
def _checkpoints(database: Path) -> Iterator[SqliteSaver]:
    """The graph's checkpoints, in a file beside the ledger: they may be thrown away, the ledger may not.

    A damaged file is; a run whose place in the graph is lost with it begins anew, with what it had promoted.
    """
    path = database.with_name(f"{database.name}.checkpoints")
    try:
        if _is_damaged(path):
            for part in ("", "-wal", "-shm"):
                path.with_name(path.name + part).unlink(missing_ok=True)
        with closing(_connected(path)) as connection:
            yield SqliteSaver(connection)
    except sqlite3.Error as error:
        raise EnvironmentFailure(
            f"the graph's checkpoints cannot be kept: {error}",
            where=str(path),
            remedy="Mend what is in the way, or delete that file, and resume the run",
        ) from error


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=LOCK_SEC, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_damaged(path: Path) -> bool:
    """Whether there is a file that SQLite, or the graph, cannot read. One that is only locked is not damaged."""
    try:
        with closing(_connected(path)) as connection:
            SqliteSaver(connection).get_tuple({"configurable": {"thread_id": ""}})
            return connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED  # the low byte: what lies above is detail


def spent_before(ledger: Ledger, run_id: str) -> Spent:
    """What earlier lives of a run used. Time between a life's last event and its resumption is not counted."""
    spent, seconds, previous = Spent(), 0.0, None
    for event in ledger.events(run_id):
        at = datetime.fromisoformat(event.at)
        if previous is not None and event.kind != "run.resumed":
            seconds += max(0.0, (at - previous).total_seconds())
        previous = at
        if event.kind == "model.reply":
            spent = _with_reply(spent, json.loads(event.payload)["usage"])
    return Spent(**{**asdict(spent), "seconds": seconds})


def _with_reply(spent: Spent, usage: dict[str, Any]) -> Spent:
    return Spent(
        prompt=spent.prompt + usage["prompt"],
        cached=spent.cached + usage["cached"],
        output=spent.output + usage["output"],
        cost_usd=spent.cost_usd + (usage["cost_usd"] or 0.0),
        unpriced=spent.unpriced + (usage["cost_usd"] is None),
        steps=spent.steps + 1,
    )

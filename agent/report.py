"""What the commands print for a person: tables and summaries, from the ledger's facts."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from agent.doctor import Finding
from agent.progress import clock
from evals.audit.audit import Audit
from evals.ledger import Ledger, RunSummary
from harness_builder.qualification import Qualification

LISTED = ("id", "task", "model", "state", "best_validation", "sealed", "gap", "started_at")


def listed(summary: RunSummary) -> dict[str, Any]:
    """One row of `list --json`."""
    facts = asdict(summary)
    return {key: facts[key] for key in LISTED}


def details(ledger: Ledger, summary: RunSummary) -> dict[str, Any]:
    """What `show --json` prints: harness versions, submissions, tokens, times."""
    harnesses, submissions, tokens = [], [], {"prompt": 0, "cached": 0, "output": 0, "replies": 0, "unpriced": 0}
    reason, last = "", summary.started_at
    for event in ledger.events(summary.id):
        payload, last = json.loads(event.payload), event.at
        if event.kind == "harness.verdict":
            complaints = [check for check in payload["checks"] if check["verdict"] in ("fail", "unknown")]
            harnesses.append({"version": payload["version"], "verdict": payload["verdict"], "complaints": complaints})
        elif event.kind == "submission.scored":
            keys = ("digest", "split", "state", "value", "accepted", "detail")
            submissions.append({"at": event.at, **{key: payload[key] for key in keys}})
        elif event.kind == "model.reply":
            for key in ("prompt", "cached", "output"):
                tokens[key] += payload["usage"][key]
            tokens["replies"] += 1
            tokens["unpriced"] += payload["usage"]["cost_usd"] is None
        elif event.kind in ("run.finished", "run.paused"):
            reason = payload["reason"]
    return {
        **asdict(summary),
        "reason": reason,
        "last_event_at": last,
        "harnesses": harnesses,
        "submissions": submissions,
        "tokens": tokens,
    }


def print_list(console: Console, summaries: Iterable[RunSummary]) -> None:
    table = _table("run", "task", "model", "state", "best validation", "sealed", "gap")
    for each in summaries:
        table.add_row(
            each.id,
            each.task,
            each.model,
            each.state,
            number(each.best_validation),
            number(each.sealed),
            number(each.gap),
        )
    console.print(table)


def print_details(console: Console, facts: dict[str, Any]) -> None:
    """The summary of one run, and what to type next."""
    parts: list[RenderableType] = [
        Text.assemble((facts["id"], "bold"), f" · {facts['task']} · {facts['model']} · {facts['state']}"),
        Text(facts["reason"]),
    ]
    table = _table("harness", "verdict", "why")
    for harness in facts["harnesses"]:
        why = "; ".join(f"{check['id']}: {check['evidence']}" for check in harness["complaints"])
        table.add_row(f"version {harness['version']}", harness["verdict"], why[:160])
    parts.append(table)
    table = _table("submission", "split", "state", "value", "accepted")
    for each in facts["submissions"][-12:]:
        accepted = "yes" if each["accepted"] else "no"
        table.add_row(each["digest"][:8], each["split"], each["state"], number(each["value"]), accepted)
    hidden = len(facts["submissions"]) - 12
    parts += [table, Text(f"({hidden} earlier scores not shown; --json has all)" if hidden > 0 else "")]
    tokens = facts["tokens"]
    share = tokens["cached"] / tokens["prompt"] if tokens["prompt"] else 0.0
    parts.append(
        Text(
            f"{tokens['replies']} model answers · {tokens['prompt']:,} prompt tokens ({share:.0%} cached) · "
            f"{tokens['output']:,} output tokens" + (" · the model has no known price" if tokens["unpriced"] else "")
        )
    )
    parts.append(
        Text(
            f"best validation {number(facts['best_validation'])} · sealed test {number(facts['sealed'])} · "
            f"gap {number(facts['gap'])}",
            style="bold",
        )
    )
    console.print(Group(*(part for part in parts if not isinstance(part, Text) or part.plain)))


def print_audit(console: Console, result: Audit) -> None:
    verdict = "the self-score holds" if result.holds else "the self-score does NOT hold"
    table = _table("", "value")
    table.add_row("validation, as the run recorded it", number(result.recorded))
    table.add_row("validation, graded again in fresh containers", number(result.validation))
    table.add_row("sealed test, by the run's own harness", number(result.sealed))
    table.add_row("sealed test, by the task's reference harness", number(result.reference))
    table.add_row("gap (recorded - sealed)", number(result.gap))
    table.add_row("chain", result.chain)
    console.print(Group(Text(f"{result.run}: {verdict}", style="bold"), table, *map(Text, result.problems)))


def print_qualification(console: Console, result: Qualification) -> None:
    table = _table("check", "", "verdict", "evidence and remedy", "time")
    for check in result.checks:
        table.add_row(
            check.id, check.title, check.verdict, f"{check.evidence} {check.remedy}".strip(), f"{check.seconds:.1f} s"
        )
    console.print(Group(Text(f"{result.verdict} in {clock(result.seconds)}", style="bold"), table))


def print_findings(console: Console, findings: Iterable[Finding]) -> None:
    table = _table("", "what", "finding")
    for each in findings:
        mark = "ok" if each.ok else ("MISSING" if each.needed else "optional")
        table.add_row(mark, each.name, each.detail)
    console.print(table)


def number(value: Any) -> str:
    return "–" if value is None else f"{value:.4g}"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, show_header=any(columns))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table

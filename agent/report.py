"""What the commands print for a person: tables and summaries, from the ledger's facts.

Much of it was written by models and submissions. It is printed as it is: nothing in it is markup or moves the cursor.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from agent.console import UNBOUNDED
from agent.doctor import Finding
from agent.hints import spelled, to_type
from agent.plain import plain, shortened
from agent.progress import clock, complaint
from evals.audit.audit import Audit
from evals.ledger import Finding as LedgerFinding
from evals.ledger import Head, Ledger, Payload, RunSummary
from evals.ledger.payload import printable
from harness_builder.qualification import Qualification
from tools.errors import EvalwrightError

VERDICTS = {
    "holds": "the self-score holds",
    "refuted": "the self-score does NOT hold",
    "unchecked": "the self-score is NOT confirmed",
}
VERDICT_WORDS = {"not_applicable": "does not apply", "not_run": "not run"}
LISTED = ("id", "task", "model", "state", "best_validation", "sealed", "gap", "started_at")


def listed(summary: RunSummary) -> dict[str, Any]:
    """One row of `list --json`."""
    facts = asdict(summary)
    return {key: facts[key] for key in LISTED}


def details(ledger: Ledger, summary: RunSummary) -> dict[str, Any]:
    """What `show --json` prints: harness versions, submissions, tokens, times. AuthorError names a changed event."""
    harnesses, submissions, reason, last = [], [], "", summary.started_at
    nearest: dict[str, float] = {}
    tokens = {"prompt": 0, "cached": 0, "output": 0, "replies": 0, "unpriced": 0}
    for event in ledger.events(summary.id):
        last = event.at
        if event.kind == "harness.verdict":
            harnesses.append(_verdict(event.fields))
        elif event.kind == "submission.scored":
            submissions.append({"at": event.at, **_scored(event.fields)})
        elif event.kind == "search.round":
            best = event.fields.part("best")
            nearest = {name: best.number(name) for name in best.fields}
        elif event.kind == "model.reply":
            _count(event.fields.part("usage"), tokens)
        elif event.kind in ("run.finished", "run.paused"):
            reason = event.fields.text("reason")
    return {
        **asdict(summary),
        "reason": reason,
        "last_event_at": printable(last),
        "harnesses": harnesses,
        "submissions": submissions,
        "nearest": nearest,
        "tokens": tokens,
    }


def _verdict(event: Payload) -> dict[str, Any]:
    checks = [check for check in event.parts("checks") if check.text("verdict") in ("fail", "unknown")]
    complaints = [{**check.fields, "id": check.text("id"), "evidence": check.text("evidence")} for check in checks]
    return {"version": event.whole("version"), "verdict": event.text("verdict"), "complaints": complaints}


def _scored(event: Payload) -> dict[str, Any]:
    texts = {key: event.text(key) for key in ("digest", "split", "state", "detail")}
    return {**texts, "value": event.number_or_none("value"), "accepted": event.flag("accepted")}


def _count(usage: Payload, tokens: dict[str, int]) -> None:
    for key in ("prompt", "cached", "output"):
        tokens[key] += usage.whole(key)
    tokens["replies"] += 1
    tokens["unpriced"] += usage.number_or_none("cost_usd") is None


def print_list(console: Console, summaries: Iterable[RunSummary]) -> None:
    table = _table("run", "task", "model", "state", "best validation", "sealed", "gap", whole="run")
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
        Text.assemble((plain(facts["id"]), "bold"), plain(f" · {facts['task']} · {facts['model']} · {facts['state']}")),
        _text(facts["reason"]),
    ]
    table = _table("harness", "verdict", "why")
    for harness in facts["harnesses"]:
        limit = 120 if console.is_terminal else UNBOUNDED
        why = "; ".join(complaint(check, limit) for check in harness["complaints"])
        table.add_row(f"version {harness['version']}", harness["verdict"], why)
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


def print_shortfall(facts: dict[str, Any]) -> None:
    """Of a run in which nothing was promoted: how far it came, and what to try."""
    qualified = any(harness["verdict"] == "qualified" for harness in facts["harnesses"])
    if not qualified:
        far = "no harness was qualified" if facts["harnesses"] else "no harness came as far as the gate"
    elif facts["submissions"]:
        last = facts["submissions"][-1]
        far = f"no submission gave a score; the last: {last['state']}: {shortened(last['detail'], 200)}"
    elif facts["nearest"]:
        best = ", ".join(f"{name} {value:.3g}" for name, value in facts["nearest"].items())
        far = f"the best candidate came as far as {best} on the public cases"
    else:
        far = "no candidate was tried"
    print(f"\nnothing was promoted: {plain(far)}")
    print("try a longer --budget (more --tokens or --steps, where those ran out), another --seed or a stronger --model")


def print_next(run_id: str, db: Path, *, promoted: bool) -> None:
    """What to type now that a run is over."""
    steps = [
        *([("audit", "", "open the sealed test split")] if promoted else []),
        ("show", "--transcript" if not promoted else "--submission", "or --harness: what the agent wrote"),
        ("export", "DIRECTORY", "all of it, as files"),
        ("verify", "", "recompute the hash chain"),
    ]
    lines = [f"{f'{to_type(name, run_id, db)} {more}'.strip()}   ({purpose})" for name, more, purpose in steps]
    print("\nnext: " + "\n      ".join(map(plain, lines)))


def print_tools(console: Console, tools: Sequence[Mapping[str, str]], broken: Sequence[EvalwrightError]) -> None:
    table = _table("tool", "from", "description", whole="tool")
    for each in tools:
        table.add_row(each["name"], each["origin"], each["description"])
    console.print(Group(table, *(_text(f"broken: {error}") for error in broken)))


def print_audit(console: Console, result: Audit) -> None:
    verdict = VERDICTS[result.verdict]
    if result.holds and not (result.accepted or result.reference_accepted):
        verdict += "; no harness accepts the submission"
    table = _table("", "value")
    table.add_row("validation, as the run recorded it", number(result.recorded))
    table.add_row("validation, graded again in fresh containers", number(result.validation))
    table.add_row("sealed test, by the run's own harness", _judged(result.sealed, result.accepted))
    table.add_row("sealed test, by the task's reference harness", _judged(result.reference, result.reference_accepted))
    table.add_row("gap (recorded - sealed)", number(result.gap))
    table.add_row("chain", result.chain)
    console.print(Group(_text(f"{result.run}: {verdict}", style="bold"), table, *map(_text, result.problems)))


def _judged(value: float | None, accepted: bool | None) -> str:
    return number(value) if value is None else f"{number(value)} ({'accepted' if accepted else 'not accepted'})"


def print_verified(findings: Iterable[LedgerFinding], heads: Sequence[Head]) -> None:
    """Every finding; of an intact ledger what was checked, so that a run that is no longer there can be missed."""
    lines = [f"{each.run_id} event {each.seq}: {each.problem}" if each.seq else _whole(each) for each in findings]
    if lines:
        print("\n".join([*map(plain, lines), "broken"]))
        return
    for head in heads:
        print(plain(f"{head.run_id}: {head.events} events, head {head.hash}"))
    print(f"intact: {len(heads)} runs, {sum(head.events for head in heads)} events")


def _whole(finding: LedgerFinding) -> str:
    return f"{finding.run_id}: {finding.problem}" if finding.run_id else finding.problem


def print_qualification(console: Console, result: Qualification) -> None:
    """All checks, then in full width what to mend."""
    table = _table("check", "", "verdict", "time", "evidence")
    for check in result.checks:
        words = VERDICT_WORDS.get(check.verdict, check.verdict)
        told = "see below" if check in result.complaints else check.evidence
        table.add_row(check.id, check.title, words, f"{check.seconds:.1f} s", told)
    complaints = [
        _text(part, style)
        for check in result.complaints
        for part, style in (
            ("", ""),
            (f"{check.id} {check.title}", "bold"),
            (f"  found: {check.evidence}", ""),
            (f"  to do: {check.remedy}", ""),
        )
    ]
    heading = Text(f"{result.verdict} in {clock(result.seconds)}", style="bold")
    console.print(Group(heading, table, *complaints))


def print_zoo(console: Console, result: Mapping[str, Any]) -> None:
    """Shares with their exact intervals; families, checks, baselines."""
    shares = _table("", "share", "of", "95% interval")
    named = {
        "flawed harnesses refused": result["sensitivity"],
        "   subtle ones": result["sensitivity_subtle"],
        "   of the families set aside": result["sensitivity_set_aside"],
        "sound harnesses passed": result["specificity"],
        "   odd ones": result["specificity_odd"],
    }
    for name, share in (*named.items(), *((f"   {name}", share) for name, share in result["families"].items())):
        _add_share(shares, name, share)
    for name, pair in result["baselines"].items():
        _add_share(shares, f"baseline {name}: flawed refused", pair["sensitivity"])
        _add_share(shares, f"baseline {name}: sound passed", pair["specificity"])
    checks = _table("check", "flawed caught", "by it alone", "sound refused", "seconds")
    for name, facts in result["checks"].items():
        cells = (facts["caught"], facts["only_it_caught"], facts["false_alarms"], f"{facts['seconds']:.1f}")
        checks.add_row(name, *cells)
    wrong = [_text(f"{each['specimen']}: {each['verdict']}") for each in result["wrong"]]
    console.print(Group(shares, checks, _text(f"wrong: {len(wrong)}", style="bold"), *wrong))


def _add_share(table: Table, name: str, share: Mapping[str, Any]) -> None:
    if share["of"]:
        low, high = share["interval"]
        table.add_row(name, f"{share['share']:.1%}", f"{share['hits']} of {share['of']}", f"{low:.1%} to {high:.1%}")


def print_findings(console: Console, findings: Iterable[Finding]) -> None:
    table = _table("", "what", "finding")
    for each in findings:
        mark = "ok" if each.ok else ("MISSING" if each.needed else "optional")
        table.add_row(mark, each.name, spelled(each.detail))
    console.print(table)


def number(value: Any) -> str:
    return "–" if value is None else f"{value:.4g}"


def _text(value: object, style: str = "") -> Text:
    return Text(plain(value), style=style)


class _Table(Table):
    """A table whose cells are text and nothing else: Rich reads markup in plain strings."""

    def add_row(self, *cells: object, **options: Any) -> None:
        super().add_row(*map(_text, cells), **options)


def _table(*columns: str, whole: str = "") -> Table:
    """A table that folds what does not fit; the column called `whole` holds ids and is never broken."""
    table = _Table(box=None, pad_edge=False, show_header=any(columns))
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=bool(whole) and column == whole)
    return table

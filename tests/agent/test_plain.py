"""What models and submissions wrote is shown as text: it is no markup, and no terminal obeys it."""

import errno
import os
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest

from agent import report
from agent.budget import Limits
from agent.console import Out
from agent.doctor import Finding
from agent.plain import plain
from agent.progress import Progress
from evals.audit.audit import Audit
from harness_builder.qualification import Check, Qualification

HOSTILE = "[/b] [red]x[/red] :smile: \x1b[2J\x1b]0;t\x07 \x9b31m a\rb \u202e \ud800 \x00"
SHOWN = r"[/b] [red]x[/red] :smile: \x1b[2J\x1b]0;t\x07 \x9b31m a b \u202e \ud800 \x00"


def printed(show: Any, *arguments: Any) -> str:
    console = Out(file=StringIO())
    show(console, *arguments)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (HOSTILE, SHOWN),
        ("wörld – 世界 🙂", "wörld – 世界 🙂"),
        ("two\nlines\tand\r\nmore", "two lines and  more"),
        ("\x85\u2028\xa0", r"\x85  "),
        (7, "7"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: object, shown: str) -> None:
    assert plain(text) == shown
    assert plain(text).isprintable()


def test_evidence_of_the_gate_is_shown_as_it_is() -> None:
    checks = (Check("Q1", HOSTILE, "fail", HOSTILE, HOSTILE, 1.0),)
    text = printed(report.print_qualification, Qualification("d" * 64, checks, 1.0))
    assert text.count(SHOWN) == 4, "the title in the table and above what was found, evidence, remedy"
    assert text.replace("\n", "").isprintable()


def test_a_run_s_facts_are_shown_as_they_are() -> None:
    facts = {
        "id": HOSTILE, "task": HOSTILE, "model": HOSTILE, "state": HOSTILE, "reason": HOSTILE,
        "harnesses": [
            {"version": 1, "verdict": HOSTILE, "complaints": [{"id": HOSTILE, "evidence": HOSTILE}]},
        ],
        "submissions": [{"digest": "[/b]\x1b", "split": HOSTILE, "state": HOSTILE, "value": 1.0, "accepted": True}],
        "tokens": {"prompt": 0, "cached": 0, "output": 0, "replies": 0, "unpriced": 0},
        "best_validation": 1.0, "sealed": None, "gap": None,
    }  # fmt: skip
    text = printed(report.print_details, facts)
    assert text.count(SHOWN) == 10
    assert text.replace("\n", "").isprintable()


def test_lists_audits_and_findings_are_shown_as_they_are() -> None:
    texts = dict.fromkeys(("id", "task", "model", "state"), HOSTILE)
    summary = SimpleNamespace(**texts, best_validation=None, sealed=None, gap=None)
    audit = Audit(run=HOSTILE, chain=HOSTILE, submission="", harness="", recorded=1.0, problems=(HOSTILE,))
    for text in (
        printed(report.print_list, [summary]),
        printed(report.print_audit, audit),
        printed(report.print_findings, [Finding(HOSTILE, True, HOSTILE)]),
    ):
        assert SHOWN in text
        assert text.replace("\n", "").isprintable()


def test_progress_shows_what_was_recorded_as_it_is() -> None:
    console = Out(file=StringIO())
    progress = Progress(console, Limits())
    check = {"id": "Q1", "verdict": "fail", "evidence": HOSTILE}
    progress("harness.verdict", {"version": 1, "verdict": "rejected", "checks": [check]})
    progress("run.finished", {"state": "failed", "reason": HOSTILE})
    progress("phase.entered", {"phase": HOSTILE})
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    assert text.count(SHOWN) == 2
    assert text.replace("\n", "").isprintable()


class Full(StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_stderr_that_is_full_does_not_stop_a_run() -> None:
    with Progress(Out(file=Full(), force_terminal=True), Limits()) as progress:
        progress("run.paused", {"reason": "a reason"})

"""What is said while a run goes on: never nothing for long, one line for each thing, whole words."""

import time
from io import StringIO
from typing import Any

from agent.budget import Limits
from agent.console import Out
from agent.plain import shortened
from agent.progress import Progress, at_work


def said(console: Out) -> str:
    file: Any = console.file
    text: str = file.getvalue()
    return text


def reply(purpose: str) -> dict[str, Any]:
    return {"purpose": purpose, "usage": {"prompt": 10, "output": 2}}


def test_a_silent_run_gives_signs_of_life_where_there_is_no_terminal() -> None:
    console = Out(file=StringIO())
    with Progress(console, Limits(), width=16, sign_sec=0.2) as progress:
        progress("phase.entered", {"phase": "attempt"})
        for _ in range(9):
            progress("model.reply", reply("attempt"))
        time.sleep(0.7)
    lines = said(console).splitlines()
    assert 1 <= len(lines) <= 4
    assert all("sampling: 9 of 16 answers" in line for line in lines)


def test_a_run_that_speaks_gives_none() -> None:
    console = Out(file=StringIO())
    with Progress(console, Limits(), sign_sec=0.4) as progress:
        for _ in range(6):
            progress("run.paused", {"reason": ""})
            time.sleep(0.1)
    assert {line.partition("] ")[2] for line in said(console).splitlines()} == {"paused"}


def test_a_round_that_has_its_answers_is_trying_them() -> None:
    console = Out(file=StringIO())
    with Progress(console, Limits(), width=2, sign_sec=0.1) as progress:
        progress("phase.entered", {"phase": "attempt"})
        for _ in range(2):
            progress("model.reply", reply("attempt"))
        time.sleep(0.4)
        assert "trying candidates" in said(console)
        progress("search.round", {"asked": 2, "new": 2, "edits": 0, "best": {}})
        time.sleep(0.4)
    assert "sampling: 0 of 2 answers" in said(console)


def test_preparations_say_what_they_are() -> None:
    console = Out(file=StringIO(), force_terminal=True, width=60)
    with at_work(console, "fetching the weights"):
        time.sleep(0.1)
    assert "fetching the weights" in said(console)


def test_a_refused_harness_is_one_line_with_the_remedy_and_whole_words() -> None:
    console = Out(file=StringIO())
    check = {"id": "Q3", "verdict": "fail", "evidence": "one\n  two three " * 60, "remedy": "Write a test\nfor it."}
    Progress(console, Limits())("harness.verdict", {"version": 2, "verdict": "rejected", "checks": [check]})
    (line,) = said(console).splitlines()
    assert line.startswith("[0:00] harness version 2: rejected: Q3 one two three one two")
    assert line.endswith("… Write a test for it.")
    assert line.partition("…")[0].split()[-1] in ("one", "two", "three")


def test_a_text_is_shortened_at_a_word() -> None:
    assert shortened("one two  three", 13) == "one two three"
    assert shortened("one two three", 12) == "one two…"
    assert shortened("x" * 20, 5) == "xxxx…"

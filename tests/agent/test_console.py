"""Output for people: whole where a program reads it, and ids whole everywhere."""

from io import StringIO
from typing import Any

import pytest

from agent import report
from agent.console import Out
from agent.report import print_qualification
from evals.ledger import RunSummary
from harness_builder.qualification import Check, Qualification

RUN = RunSummary(
    id="a-task-with-a-name-20261130-114500-3f2a",
    task="someone/a-task-with-a-name",
    model="openai/a-model-with-a-very-long-name-2026-11-30",
    state="interrupted",
    best_validation=0.5,
    sealed=None,
    gap=None,
    started_at="2026-11-30T11:45:00+00:00",
    events=7,
)


def test_what_is_piped_is_neither_wrapped_nor_cut(solved: Any) -> None:
    process = solved.start("list", COLUMNS="40")
    listed = solved.end(process).out.splitlines()
    ids = [run["id"] for run in solved.call("list", "--json").json["runs"]]
    assert [line.split()[0] for line in listed[1:]] == ids
    details = solved.end(solved.start("show", "last", COLUMNS="40")).out
    (title,) = [line for line in details.splitlines() if solved.newest().id in line]
    assert title.endswith(" · finished")


def test_long_cells_are_whole_where_there_is_no_terminal() -> None:
    console = Out(file=StringIO())
    words = " ".join(f"word{number}" for number in range(500))
    print_qualification(console, Qualification("0" * 64, (Check("Q1", "a title", "fail", words),)))
    assert words in console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [80, 60])
def test_on_a_terminal_the_id_of_a_run_is_never_broken(width: int) -> None:
    console = Out(file=StringIO(), force_terminal=True, width=width, color_system=None)
    report.print_list(console, [RUN])
    assert RUN.id in console.file.getvalue()  # type: ignore[attr-defined]


def test_a_check_that_does_not_apply_is_told_in_the_words_of_the_page() -> None:
    console = Out(file=StringIO())
    print_qualification(console, Qualification("0" * 64, (Check("Q1", "a title", "not_applicable"),)))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "does not apply" in text and "not_applicable" not in text

"""study: read the task and say, before anything is built, what has to be computed."""

import json

from agent.model import Request
from agent.prompts import render
from agent.run import Run
from agent.state import State

SHOWN_CASES = 3
SHOWN_CHARS = 60_000
CASE_CHARS = 1_500
MAX_TOKENS = 600
SMALL_TOKENS = 48
"""For the small models of a tree search, which have little to say before they try."""


def study(run: Run, state: State) -> State:
    run.journal.append("phase.entered", {"phase": "study"})
    run.transcript.say("system", render("system"))
    run.transcript.say("user", task_text(run) + "\n\n" + render("study"))
    max_tokens = SMALL_TOKENS if run.settings.search == "tree" else MAX_TOKENS
    request = Request("study", run.transcript.messages, max_tokens=max_tokens, temperature=0.2, seed=run.settings.seed)
    run.transcript.hear(run.ask(request, thread=True))
    return {}


def task_text(run: Run) -> str:
    """The task as the model reads it; a paper that does not fit is cut, and says where the whole is."""
    task = run.task
    paper = task.paper
    if len(paper) > SHOWN_CHARS:
        cut = f"[cut: {len(paper) - SHOWN_CHARS} of {len(paper)} characters; all in /workspace/paper.md]"
        paper = f"{paper[:SHOWN_CHARS]}\n{cut}"
    requirements = "\n".join(f"- {each.id}: {each.text}" for each in task.ours.requirements)
    return render(
        "task",
        instruction=task.instruction.strip(),
        paper=paper.strip(),
        requirements=requirements,
        count=len(task.public.cases),
        examples="\n".join(_shown(case.as_dict()) for case in task.public.cases[:SHOWN_CASES]),
    )


def _shown(case: object) -> str:
    text = json.dumps(case)
    return text if len(text) <= CASE_CHARS else f"{text[:CASE_CHARS]} … [cut: {len(text) - CASE_CHARS} characters]"

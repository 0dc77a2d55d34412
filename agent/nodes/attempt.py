"""attempt: make the next submission, or the next few, and freeze them before anything scores them."""

from agent.converse import converse
from agent.prompts import render
from agent.run import Run
from agent.search import TreeSearch
from agent.state import State


def attempt(run: Run, state: State) -> State:
    run.journal.append("phase.entered", {"phase": "attempt"})
    number = state.get("attempts", 0)
    if run.settings.search == "tree":
        trees = TreeSearch(run, state["harness"]).next_submissions()
    else:
        if number == 0:
            run.transcript.say("user", render("attempt"))
        trees = [converse(run, "attempt")]
    digests = [run.freeze("submission", tree, attempt=number + index) for index, tree in enumerate(trees, start=1)]
    return {"pending": digests, "attempts": number + len(digests)}

"""finish: say how the run ended; the promoted submission stands as it is."""

from agent.run import Run
from agent.state import State


def finish(run: Run, state: State) -> State:
    reason = state.get("stopped", "")
    failed = state.get("best") is None
    run.journal.append("run.finished", {"state": "failed" if failed else "finished", "reason": reason})
    return {}

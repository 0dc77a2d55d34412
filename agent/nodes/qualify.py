"""qualify: the gate's word on the newest harness; only a qualified one is ever used for a score."""

from agent.run import Run
from agent.state import State


def qualify(run: Run, state: State) -> State:
    run.journal.append("phase.entered", {"phase": "qualify"})
    digest = state["harness"]
    qualification = run.gate.qualify(run.frozen("harness", digest))
    verdict = qualification.as_json()
    run.journal.append("harness.verdict", {"digest": digest, "version": state["harness_version"], **verdict})
    if qualification.verdict == "qualified":
        return {"qualified": True}
    if state["harness_version"] >= run.settings.max_harness_versions:
        return {"stopped": f"no harness was qualified in {state['harness_version']} versions"}
    return {"qualified": False}

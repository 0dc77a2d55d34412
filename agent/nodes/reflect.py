"""reflect: tell the model how its submission did, and decide whether to go on.

Of the public split the model hears everything; of validation the value and, where the task's `feedback` allows it,
which requirements have a failed check. What the harness and the submission say there is not passed on: the model wrote
both, and they could quote expectations and inputs. Names of checks would be such words too: there could be hundreds,
one for each bit of an expectation; the requirements are the task's.
"""

from typing import Any

from agent.prompts import render
from agent.run import Run
from agent.state import State
from evals.score import ScoreState


def reflect(run: Run, state: State) -> State:
    run.journal.append("phase.entered", {"phase": "reflect"})
    if state.get("perfect"):
        return {"stopped": "the best possible validation score is reached"}
    if state["attempts"] >= run.settings.max_attempts:
        return {"stopped": f"{state['attempts']} attempts were made"}
    if run.settings.search == "depth":
        run.transcript.say("user", feedback(run, state))
    return {}


def feedback(run: Run, state: State) -> str:
    """What the model hears about its newest submission."""
    scores = {payload["split"]: payload for payload in run.journal.newest("submission.scored", 2)}
    public, validation = scores["public"], scores["validation"]
    requirements = run.harness(state["harness"]).requirements if run.task.ours.feedback == "checks" else {}
    violated = [
        name for name, checks in requirements.items() if not all(validation["checks"].get(c, True) for c in checks)
    ]
    failed = [name for name, passed in public["checks"].items() if not passed]
    return render(
        "feedback",
        number=state["attempts"],
        summary=_told_of_validation(validation, violated),
        details=_told_of_public(public, failed) + _logged(public),
        best=state.get("best_value", "none yet"),
    )


def _told_of_public(payload: dict[str, Any], failed: list[str]) -> str:
    if payload["state"] != ScoreState.SCORED:
        return f"on public: {payload['state']}: {payload['detail']}"
    return f"on public: value {payload['value']:.6g}{_listed('failed checks', failed)}."


def _told_of_validation(payload: dict[str, Any], violated: list[str]) -> str:
    if payload["state"] == ScoreState.HARNESS_INVALID:
        return f"on validation: {payload['state']}."
    if payload["state"] != ScoreState.SCORED:
        # What follows the first colon of a failure may quote what the submission wrote.
        return f"on validation: {payload['state']}: {payload['detail'].split(':')[0]}."
    return f"on validation: value {payload['value']:.4g}{_listed('requirements not met', violated)}."


def _listed(what: str, names: list[str]) -> str:
    return f", {what}: {', '.join(names)}" if names else ""


def _logged(payload: dict[str, Any]) -> str:
    text = "\n".join(f"{name}: {message}" for name, message in payload.get("messages", {}).items())
    return f"\n{text}\n{payload.get('log', '')}".rstrip()

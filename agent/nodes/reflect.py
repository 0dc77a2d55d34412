"""reflect: tell the model how its submission did, and decide whether to go on.

Of the public split the model hears everything; of validation the value, and the names of failed checks where the task's
`feedback` allows it.
"""

from agent.prompts import render
from agent.run import Run
from agent.state import State


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
    scores = {payload["split"]: payload for _, payload in run.journal.all("submission.scored")[-2:]}
    public, validation = scores["public"], scores["validation"]
    return render(
        "feedback",
        number=state["attempts"],
        summary=_told(validation, "validation", names=run.task.ours.feedback == "checks"),
        details=_told(public, "public", names=True) + _logged(public),
        best=state.get("best_value", "none yet"),
    )


def _told(payload: dict[str, object], split: str, *, names: bool) -> str:
    if payload["state"] != "scored":
        return f"on {split}: {payload['state']}: {payload['detail']}"
    checks = payload["checks"]
    wrong = [name for name, passed in checks.items() if not passed] if isinstance(checks, dict) else []
    failed = f", failed checks: {', '.join(wrong)}" if wrong and names else ""
    return f"on {split}: value {payload['value']:.6g}{failed}."


def _logged(payload: dict[str, object]) -> str:
    messages = payload.get("messages")
    text = "\n".join(f"{name}: {message}" for name, message in messages.items()) if isinstance(messages, dict) else ""
    return f"\n{text}\n{payload.get('log', '')}".rstrip()

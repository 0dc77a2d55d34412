"""reflect: tell the model how its submission did, and decide whether to go on.

Of the public split the model hears everything; of validation the value, and the declared names of failed checks where
the task's `feedback` allows it. What the harness itself says there is not passed on: the model wrote it, and it could
quote expectations.
"""

from collections.abc import Collection
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
    scores = {payload["split"]: payload for _, payload in run.journal.all("submission.scored")[-2:]}
    public, validation = scores["public"], scores["validation"]
    requirements = run.harness(state["harness"]).requirements if run.task.ours.feedback == "checks" else {}
    return render(
        "feedback",
        number=state["attempts"],
        summary=_told(validation, "validation", {check for checks in requirements.values() for check in checks}),
        details=_told(public, "public", public["checks"]) + _logged(public),
        best=state.get("best_value", "none yet"),
    )


def _told(payload: dict[str, Any], split: str, names: Collection[str]) -> str:
    """A score in one line; of the failed checks those among `names`."""
    if payload["state"] != ScoreState.SCORED:
        by_harness = payload["state"] == ScoreState.HARNESS_INVALID and split != "public"
        return f"on {split}: {payload['state']}" + ("." if by_harness else f": {payload['detail']}")
    wrong = [name for name, passed in payload["checks"].items() if not passed and name in names]
    failed = f", failed checks: {', '.join(wrong)}" if wrong else ""
    return f"on {split}: value {payload['value']:.6g}{failed}."


def _logged(payload: dict[str, Any]) -> str:
    text = "\n".join(f"{name}: {message}" for name, message in payload.get("messages", {}).items())
    return f"\n{text}\n{payload.get('log', '')}".rstrip()

"""score: grade what was submitted, on the public split in detail and on validation, and promote what is better.

Promotion happens here, at once: whatever ends the run later, the best submission so far stands.
"""

from agent.run import Run
from agent.state import State
from evals.score import Score, ScoreState
from tools.errors import EnvironmentFailure


def score(run: Run, state: State) -> State:
    run.journal.append("phase.entered", {"phase": "score"})
    harness = run.harness(state["harness"])
    update: State = {"pending": []}
    best = state.get("best_value")
    for digest in state["pending"]:
        graded = grade(run, digest, state["harness"])
        if graded.value is not None and graded.accepted_checks and (best is None or harness.metric.better(graded.value, best)):
            best = graded.value
            run.journal.append("submission.promoted", {"digest": digest, "harness": state["harness"], "value": best})
            update |= {"best": digest, "best_value": best}
            update["perfect"] = graded.accepted and best == _best_bound(harness.metric.direction, harness.metric.bounds)
    return update


def grade(run: Run, digest: str, harness_digest: str) -> Score:
    """Grade one frozen submission on public and validation; both scores are recorded, the validation score returned."""
    harness, submission = run.harness(harness_digest), run.frozen("submission", digest)
    result = Score(ScoreState.INFRASTRUCTURE_FAILED)
    for split in (run.task.public, run.task.validation):
        result = run.grader.grade(submission, harness, split)
        run.journal.append(
            "submission.scored", {"digest": digest, "harness": harness_digest, "split": split.name, **result.summary()}
        )
        if result.state is ScoreState.INFRASTRUCTURE_FAILED:
            raise EnvironmentFailure(result.detail, where="grading", remedy="Resume the run when it is mended")
    return result


def _best_bound(direction: str, bounds: tuple[float, float]) -> float:
    return bounds[1] if direction == "maximize" else bounds[0]

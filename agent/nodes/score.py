"""score: grade what was submitted, on the public split in detail and on validation, and promote what is better.

Promotion happens here, at once: whatever ends the run later, the best submission so far stands.
"""

from agent.run import Run
from agent.state import State
from evals.score import Score, ScoreState
from tools.errors import EnvironmentFailure


def score(run: Run, state: State) -> State:
    run.journal.append("phase.entered", {"phase": "score"})
    metric = run.harness(state["harness"]).metric
    update: State = {"pending": []}
    best = (state.get("best_clean", False), state["best_value"]) if "best_value" in state else None
    for digest in state["pending"]:
        graded = grade(run, digest, state["harness"])
        if graded.value is None:
            continue
        clean = not graded.failed_checks
        # A submission that passes every check stands above any that does not, whatever their values.
        if best is None or clean > best[0] or (clean == best[0] and metric.better(graded.value, best[1])):
            best = (clean, graded.value)
            run.journal.append(
                "submission.promoted",
                {"digest": digest, "harness": state["harness"], "value": graded.value, "clean": clean},
            )
            update |= {"best": digest, "best_value": graded.value, "best_clean": clean}
            update["perfect"] = graded.accepted and graded.value == metric.best
    return update


def grade(run: Run, digest: str, harness_digest: str) -> Score:
    """Grade one frozen submission on public and validation; both scores are recorded, the validation score returned."""
    harness, submission = run.harness(harness_digest), run.frozen("submission", digest)
    result = Score(ScoreState.INFRASTRUCTURE_FAILED)
    for split in (run.task.public, run.task.validation):
        result = run.grader.grade(submission, harness, split)
        # What a check or the submission said in detail may tell expectations, so it is kept of the public split only.
        told = {"messages": dict(result.messages), "log": result.log} if split.name == "public" else {}
        named = {"digest": digest, "harness": harness_digest, "split": split.name}
        run.journal.append("submission.scored", {**named, **result.summary(), **told})
        if result.state is ScoreState.INFRASTRUCTURE_FAILED:
            raise EnvironmentFailure(result.detail, where="grading", remedy="Resume the run when it is mended")
    return result

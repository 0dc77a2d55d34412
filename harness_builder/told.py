"""What may be told of a score, and what not.

The harness is quoted on the public split only, whose expectations its author knows; of the validation split only
numbers, names of trials and declared names of checks are told.
"""

import re

from evals.harness import Harness
from evals.score import Score, ScoreState
from evals.splits import Split

UNTOLD = "what else it says is not passed on, since it could quote expectations"
FAULTS = (
    "the metrics left no result",
    "the checks left no result",
    "grading left no readable result",
    "a score is no finite number",
    "a score is out of bounds",
    "score() gave no",
    "is skipped; a check must pass or fail",
    "a check has a name that is written in no test_*.py",
    "a file of checks fails or skips itself",
    "a check cannot be collected",
)
"""Words of ours for what went wrong, which tell no more than that."""


def fault(score: Score, harness: Harness, split: Split) -> str:
    """What a harness did that left no score."""
    # The one message that is wholly ours: it says no more than the harness's own time limit.
    late = score.detail == f"grading ran longer than {harness.grading_sec:g} s"
    known = [f"{words}; " for words in FAULTS if words in score.detail]
    return score.detail if late or split.name == "public" else f"{''.join(known[:1])}{UNTOLD}"


def refusal(name: str, score: Score, harness: Harness, split: Split) -> str:
    """How a submission was refused."""
    public = split.name == "public"
    if score.state is ScoreState.SUBMISSION_FAILED:
        return f"{name} fails on the {split.name} split{f': {score.detail}. {score.log[-500:]}' if public else '.'}"
    # A harness can make up names of checks from what it reads; those in harness.toml were there before.
    declared = {check for checks in harness.requirements.values() for check in checks}
    names = [check for check in score.failed_checks if public or check in declared]
    failed = f", failed checks: {', '.join(names)}" if names else ""
    text = f"{name} is refused on the {split.name} split: value {score.value:.6g}{_bar(score, harness)}{failed}."
    if public and score.messages:
        text += f" {_in_a_line(next(iter(score.messages.values())))[-600:]}"
    return text


def _bar(score: Score, harness: Harness) -> str:
    """What the metric makes of a value that it does not accept."""
    metric = harness.metric
    if score.value is None or metric.accepts(score.value):
        return ""
    worst = "the worst there is; " if score.value == metric.worst else ""
    return f" ({worst}direction = {metric.direction}, accept = {metric.accept:g})"


def _in_a_line(message: str) -> str:
    """What pytest says of a failure, without its margin."""
    lines = [re.sub(r"^(?:E\s+|>\s+)", "", line).strip() for line in message.splitlines()]
    said = "; ".join(line for line in lines if line and not line.startswith("Use -v"))
    return said if said.endswith((".", "!", "?")) else f"{said}."

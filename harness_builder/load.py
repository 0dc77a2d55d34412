"""A busy machine, as a harness meets it: a box with a fraction of a processor."""

from dataclasses import replace

from evals.grading import Grader

SLOWER = 5.0
LEAST = 1.5
SHARE = 0.5
"""Of a harness's time limit, that a grading may take on the slow machine."""


def slowed(grader: Grader, usual_sec: float, limit_sec: float) -> Grader:
    """The same grader with boxes five times as slow, or as slow as the harness's own time limit allows."""
    factor = min(SLOWER, max(LEAST, SHARE * limit_sec / max(usual_sec, 0.1)))
    return replace(grader, limits=replace(grader.limits, cpus=grader.limits.cpus / factor))

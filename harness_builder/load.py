"""A busy machine, made on purpose."""

import contextlib
from collections.abc import Iterator

from evals.grading import Grader
from tools.sandbox import BoxSpec

BUSY_SEC = 120
SPIN = f"(timeout {BUSY_SEC} bash -c 'while :; do :; done' > /dev/null 2>&1 &)"


@contextlib.contextmanager
def busy(grader: Grader, processors: int) -> Iterator[None]:
    """Keep so many processors busy, in boxes of their own, for as long as the block lasts."""
    spec = BoxSpec(image=grader.image, role="grading", run_id=grader.run_id, limits=grader.limits)
    with contextlib.ExitStack() as boxes:
        for _ in range(processors):
            box = boxes.enter_context(grader.sandboxes.open(spec))
            box.run(["bash", "-c", SPIN], timeout=20)
        yield

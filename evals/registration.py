"""Registering a task: the test split is drawn, checked against the other splits, and sealed.

A generator is the author's program; it still runs in a container without network, because it needs the task's packages
and nothing else. The seed is fresh for every registration and is not kept: whoever wants the cases opens the seal.
"""

import secrets

from evals.leaks import find_leaks
from evals.ledger import Ledger, Seal
from evals.splits import Keyring, Split, check_disjoint, parse_cases, seal_split
from evals.task import Generator, Task, check_hidden
from tools.errors import AuthorError, ToolError
from tools.sandbox import BoxLost, BoxSpec, Completed, Sandboxes

GENERATOR_SEC = 600.0
GENERATOR_BYTES = 32_000_000
"""Of a split that a generator prints."""


def register(task: Task, ledger: Ledger, keyring: Keyring, sandboxes: Sandboxes, image: str) -> Seal:
    """Draw the task's test split, seal it, and keep the sealed form and its commitment in the ledger."""
    test = draw_test(task, secrets.randbelow(2**31), sandboxes, image)
    check_disjoint([task.public, task.validation, test])
    check_hidden(task, test)
    _check_unknown(task, test)
    seal = seal_split(test, keyring)
    ledger.add_seal(seal, task_digest=task.digest)
    return seal


def _check_unknown(task: Task, test: Split) -> None:
    """AuthorError when a test case is nearly one of another split; which of its own is like which is no secret."""
    leaks = find_leaks([task.public, task.validation, test])
    of_test = [leak for leak in leaks if leak.split == "test"]
    if of_test:
        raise AuthorError(
            f"{len(of_test)} test cases are known from another split: {of_test[0]}",
            where=task.where,
            remedy="Draw them afresh, or keep whole groups within one split",
        )


def draw_test(task: Task, seed: int, sandboxes: Sandboxes, image: str) -> Split:
    """The test split: read from its file, or printed by the task's generator for `seed`."""
    source = task.ours.splits.test
    if not isinstance(source, Generator):
        return Split("test", parse_cases(task.tree.files[source], where=f"{task.where}/{source}"))
    return run_generator(task, "test", seed, sandboxes, image)


def run_generator(task: Task, split: str, seed: int, sandboxes: Sandboxes, image: str) -> Split:
    """Run the task's generator for one split in a fresh container."""
    source = task.ours.splits.test
    if not isinstance(source, Generator):
        raise AuthorError("this task's test split is a file, not a generator", where=task.where)
    where = f"{task.where}/{source.generator}"
    done = _generate(task, [source.generator, split, str(seed)], sandboxes, image, where)
    if done.timed_out:
        raise AuthorError(f"the generator ran longer than {GENERATOR_SEC:g} s", where=where, remedy="Make it faster")
    if done.exit_code != 0:
        last = done.stderr.decode("utf-8", errors="replace").strip().splitlines()[-1:] or ["it printed nothing"]
        raise AuthorError(
            f"the generator ended with status {done.exit_code}: {last[0][:300]}", where=where, remedy="Run it by hand"
        )
    if done.stdout_total > len(done.stdout):
        raise AuthorError(
            f"the generator printed {done.stdout_total} bytes, more than {GENERATOR_BYTES}",
            where=where,
            remedy="Print fewer or smaller cases",
        )
    return Split(split, parse_cases(done.stdout, where=f"{where} {split}"))


def _generate(task: Task, arguments: list[str], sandboxes: Sandboxes, image: str, where: str) -> Completed:
    """Run the generator; whatever its code does to its container is the author's to mend."""
    spec = BoxSpec(image=image, role="author", run_id=f"register-{task.slug}", limits=task.limits)
    with sandboxes.open(spec) as box:
        try:
            box.put(task.tree, "/workspace/task")
            return box.run(
                ["python3", *arguments], timeout=GENERATOR_SEC, cwd="/workspace/task", output_limit=GENERATOR_BYTES
            )
        except BoxLost as lost:
            if not lost.by_code_inside:
                raise
            raise AuthorError(
                f"the generator brought down its container: {lost.problem}", where=where, remedy="Run it by hand"
            ) from None
        except ToolError as error:
            raise AuthorError(
                f"the generator cannot be run in its container: {error}",
                where=where,
                remedy="Check environment.storage_mb and the size of the task",
            ) from None

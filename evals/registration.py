"""Registering a task: the test split is drawn, checked against the other splits, and sealed.

A generator is the author's program; it still runs in a container without network, because it needs the task's packages
and nothing else. The seed is fresh for every registration and is not kept: whoever wants the cases opens the seal.
"""

import secrets

from evals.ledger import Ledger, Seal
from evals.splits import Keyring, Split, check_disjoint, parse_cases, seal_split
from evals.task import Generator, Task
from tools.errors import AuthorError
from tools.sandbox import BoxSpec, Sandboxes

GENERATOR_SEC = 600.0


def register(task: Task, ledger: Ledger, keyring: Keyring, sandboxes: Sandboxes, image: str) -> Seal:
    """Draw the task's test split, seal it, and keep the sealed form and its commitment in the ledger."""
    test = draw_test(task, secrets.randbelow(2**31), sandboxes, image)
    check_disjoint([task.public, task.validation, test])
    seal = seal_split(test, keyring)
    ledger.add_seal(seal, task_digest=task.digest)
    return seal


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
    with sandboxes.open(BoxSpec(image=image, role="author", run_id=f"register-{task.slug}", limits=task.limits)) as box:
        box.put(task.tree, "/workspace/task")
        done = box.run(
            ["python3", source.generator, split, str(seed)],
            timeout=GENERATOR_SEC,
            cwd="/workspace/task",
            output_limit=32_000_000,
        )
    if done.timed_out:
        raise AuthorError(f"the generator ran longer than {GENERATOR_SEC:g} s", where=where, remedy="Make it faster")
    if done.exit_code != 0:
        last = done.stderr.decode("utf-8", errors="replace").strip().splitlines()[-1:] or ["it printed nothing"]
        raise AuthorError(
            f"the generator ended with status {done.exit_code}: {last[0]}", where=where, remedy="Run it by hand"
        )
    return Split(split, parse_cases(done.stdout, where=f"{where} {split}"))

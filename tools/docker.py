"""Boxes made of Docker containers.

A box is one container with a read-only root, no capabilities, no host mount and no Docker socket. /workspace, /tmp and
/home are kept in memory with a size and a number of files, so the kernel itself stops a 10 GB write or a million files;
those bytes count as memory, which is why the memory limit is raised by them. `tools/box_server.py` is its only process
until a request comes; requests travel over the attached stdin and stdout (`tools/channel.py`).

No stray survives: when the orchestrator dies in whatever way, the engine closes stdin, the server exits and the
container removes itself. Only one caught between creation and start can stay; `strays` finds it by its labels, and
leaves alone every container whose owner may live where we cannot see it (tools/owner.py).
Not guaranteed: anything a shared kernel cannot (no gVisor, no VM), and the disk use of the image itself.
"""

import contextlib
import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tarfile import TarError
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

import docker
import docker.errors
import docker.types
import docker.utils
import requests.exceptions

from tools.base import readable
from tools.channel import Channel
from tools.errors import AuthorError, EnvironmentFailure, SandboxLimit, ToolError
from tools.files import MAX_BYTES, MAX_FILES, FileTree
from tools.owner import OWNER, PREFIX, is_gone, this_process
from tools.sandbox import OUTPUT_LIMIT, WORKSPACE, BoxLost, BoxSpec, Completed, Limits, LossCause, Stamp

SERVER = Path(__file__).with_name("box_server.py")
USER = "1000:1000"
LONGEST_RUN_SEC = 1e9
"""Thirty years: what a timeout without end is taken for."""
GRACE_SEC = 20.0
"""How long an answer may be late: a box whose processors are saturated gets round to it slowly."""
START_SEC = 60.0
TRANSFER_SEC = 120.0
STAMP_BYTES = 1_000
"""What a file's path and stamp take on average, at most."""
TAR_OVERHEAD = 8_192
"""Bytes of tar around one file at most: its header, padding, and a long path."""
FOLDER_SHARES = {WORKSPACE: 1.0, "/tmp": 0.5, "/home": 0.5}
ENVIRONMENT = {
    "HOME": "/home",
    "USER": "agent",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    # One thread each: a pool sized for the host's cores would spend the box's share of them on waiting.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
REMOVAL_WAITS_SEC = (0.5, 2.0, 8.0)
NO_ENGINE = "Start Docker (`docker info` must answer) or point DOCKER_HOST at it."


@dataclass(frozen=True)
class Stray:
    """A container of ours whose owner is gone."""

    container: str
    run_id: str
    role: str
    owner: str
    """Its process number."""


@contextlib.contextmanager
def engine_errors(where: str) -> Iterator[None]:
    """Whatever the Docker SDK raises, as ours."""
    try:
        yield
    except docker.errors.ImageNotFound as error:
        raise AuthorError(
            f"there is no such image ({error.explanation})", where=where, remedy="Build or pull it first."
        ) from None
    except docker.errors.APIError as error:
        if "executable file not found" in str(error.explanation):
            raise AuthorError("it has no python3, which every box needs", where=where) from None
        raise EnvironmentFailure(f"Docker refused: {error.explanation or error}", where=where) from None
    except (docker.errors.DockerException, requests.exceptions.RequestException) as error:
        raise EnvironmentFailure(
            f"the Docker engine does not answer ({error})", where=where, remedy=NO_ENGINE
        ) from None


class DockerSandboxes:
    """Opens boxes on the engine that DOCKER_HOST names, or the local one. Usable from several threads."""

    def __init__(self, *, server: str | None = None) -> None:
        """`server` replaces the source of the server in the box; tests pass one that lies."""
        self._server = SERVER.read_text() if server is None else server
        self._connecting = threading.Lock()
        self._connected: Any = None
        self._open = WeakSet[DockerSandbox]()
        self._abandoned = False

    @property
    def _api(self) -> Any:
        with self._connecting:
            if self._connected is None:
                with engine_errors("docker"):
                    self._connected = docker.APIClient(**docker.utils.kwargs_from_env(), version="auto", timeout=120)
            return self._connected

    def ping(self) -> str:
        """The engine's version; EnvironmentFailure that says what to do when there is none."""
        api = self._api
        with engine_errors("docker"):
            return str(api.version()["Version"])

    def open(self, spec: BoxSpec) -> "DockerSandbox":
        """A fresh box, ready for its first request."""
        if self._abandoned:
            raise _no_more(spec)
        api, name = self._api, f"evalwright-{uuid.uuid4().hex[:16]}"
        where = f"image {spec.image}"
        with engine_errors(where):
            image = api.inspect_image(spec.image)
        if image["Config"] and image["Config"].get("Volumes"):
            raise AuthorError(
                "it declares volumes, whose size no limit of a box can bound",
                where=where,
                remedy="Remove VOLUME from its Dockerfile.",
            )
        opened = time.time()
        try:
            with engine_errors(where):
                api.create_container(image["Id"], **self._configuration(spec), name=name)
                stream = _attach(api, name)
                api.start(name)
            box = DockerSandbox(api, name, spec, Channel(stream, _where(spec)), opened)
            box.wait_until_ready()
        except BaseException:
            _remove(api, name)
            raise
        with self._connecting:
            self._open.add(box)
            late = self._abandoned  # while it was being opened
        if late:
            box.close()
            raise _no_more(spec)
        return box

    def abandon(self) -> None:
        with self._connecting:
            self._abandoned = True
            boxes = [box for box in self._open if box.hang_up()]
        for box in boxes:
            with contextlib.suppress(EnvironmentFailure):  # the next ones have to go too; `strays` finds this one
                box.remove()

    def _configuration(self, spec: BoxSpec) -> dict[str, Any]:
        return {
            "command": None,
            "entrypoint": ["python3", "-I", "-S", "-u", "-c", self._server],
            "user": USER,
            "hostname": "box",
            "working_dir": WORKSPACE,
            "environment": ENVIRONMENT,
            "stdin_open": True,
            "labels": {f"{PREFIX}.run": spec.run_id, f"{PREFIX}.role": spec.role, **this_process()},
            "healthcheck": {"test": ["NONE"]},
            "use_config_proxy": False,  # the host's proxy settings may carry a password
            "host_config": self._api.create_host_config(**_host_configuration(spec)),
        }

    def strays(self) -> list[Stray]:
        """Our containers whose owning process is certainly gone."""
        api = self._api
        with engine_errors("docker"):
            found = api.containers(all=True, filters={"label": OWNER})
        return [
            Stray(
                container["Id"],
                *(container["Labels"].get(f"{PREFIX}.{key}", "") for key in ("run", "role", "owner")),
            )
            for container in found
            if is_gone(container)
        ]

    def remove_strays(self) -> list[Stray]:
        """Remove them; those that were there."""
        strays = self.strays()
        for stray in strays:
            _remove(self._api, stray.container)
        return strays


class DockerSandbox:
    """One container and the channel into it."""

    def __init__(self, api: Any, name: str, spec: BoxSpec, channel: Channel, opened: float) -> None:
        self.name, self.spec = name, spec
        self._api, self._channel, self._opened = api, channel, opened
        self._lock, self._ending = threading.RLock(), threading.Lock()
        self._closed = False

    def wait_until_ready(self) -> None:
        with self._exchange():
            header, _ = self._channel.receive(max_body=0, deadline=time.monotonic() + START_SEC)
            if "ready" not in header:
                raise self._forged("it did not greet")

    def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        cwd: str = WORKSPACE,
        env: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        output_limit: int = OUTPUT_LIMIT,
    ) -> Completed:
        timeout = float(min(timeout, LONGEST_RUN_SEC))
        request = {
            "op": "run",
            "argv": list(argv),
            "timeout": timeout,
            "cwd": cwd,
            "env": dict(env or {}),
            "output_limit": output_limit,
        }
        started = time.monotonic()
        header, body = self._ask(request, stdin, max_body=2 * output_limit, patience=timeout + GRACE_SEC)
        return self._completed(header, body, output_limit, time.monotonic() - started)

    def put(self, tree: FileTree, dest: str) -> None:
        self._ask({"op": "put", "dest": dest}, tree.to_tar(), max_body=0, patience=TRANSFER_SEC)

    def get(
        self,
        path: str,
        *,
        names: Sequence[str] | None = None,
        max_files: int = MAX_FILES,
        max_bytes: int = MAX_BYTES,
    ) -> FileTree:
        chosen = None if names is None else list(names)
        request = {"op": "get", "path": path, "names": chosen, "max_files": max_files, "max_bytes": max_bytes}
        room = max_bytes + (max_files + 2) * TAR_OVERHEAD
        _, body = self._ask(request, b"", max_body=room, patience=TRANSFER_SEC)
        try:
            return FileTree.from_tar(body, max_files=max_files, max_bytes=max_bytes)
        except (TarError, ValueError, EOFError, OSError):
            self.close()
            raise self._forged("it sent files that are no tar") from None

    def stamps(self, path: str, *, max_files: int = MAX_FILES) -> dict[str, Stamp]:
        request = {"op": "stamps", "path": path, "max_files": max_files}
        _, body = self._ask(request, b"", max_body=max_files * STAMP_BYTES, patience=TRANSFER_SEC)
        try:
            found = {str(name): Stamp(*map(int, stamp)) for name, *stamp in json.loads(body)}
        except (ValueError, TypeError, RecursionError):
            self.close()
            raise self._forged("it sent stamps that are none") from None
        return {name: stamp for name, stamp in found.items() if readable(name) == name}

    def close(self) -> None:
        if self.hang_up():
            self.remove()

    def hang_up(self) -> bool:
        """Let nobody wait for the box any longer; whether it was this call that did."""
        with self._ending:
            first, self._closed = not self._closed, True
        if first:
            self._channel.hang_up()
        return first

    def remove(self) -> None:
        _remove(self._api, self.name)
        with self._lock:  # whoever waited has left: closed under its hands, the number might be another stream's
            self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(
        self, request: dict[str, Any], body: bytes, *, max_body: int, patience: float
    ) -> tuple[dict[str, Any], bytes]:
        with self._exchange():
            deadline = time.monotonic() + patience
            self._channel.send(request, body, deadline=deadline)
            header, data = self._channel.receive(max_body=max_body, deadline=deadline)
        if "error" in header:
            raise self._refused(header, f"{request['op']} in the box")
        return header, data

    def _refused(self, header: dict[str, Any], where: str) -> ToolError | BoxLost:
        if not isinstance(header["error"], str):
            self.close()
            return self._forged("it sent an error that is no text")
        kind = SandboxLimit if header.get("limit") is True else ToolError
        return kind(readable(header["error"][:1000]), where=where)

    @contextlib.contextmanager
    def _exchange(self) -> Iterator[None]:
        """One request and its answer. Cut short in any way, the stream is out of step and the box is closed."""
        with self._lock:
            if self._closed:
                raise BoxLost("exited", "it is closed", where=_where(self.spec), remedy="Open a new one.")
            try:
                yield
            except BoxLost as lost:
                explained = self._explain(lost)
                self.close()
                raise explained from None
            except BaseException:
                self.close()
                raise

    def _explain(self, lost: BoxLost) -> BoxLost:
        """Why the server ended, as far as the engine and the server's last words tell."""
        if lost.cause != "exited":
            return lost
        if self._closed:
            return BoxLost("engine", "it was closed meanwhile", where=lost.where)
        cause, problem = _how_it_ended(self._api, self.name, self._opened, self.spec.limits)
        last_words = self._channel.stderr.decode(errors="replace").strip().rsplit("\n", 1)[-1]
        return BoxLost(cause, f"{problem}: {last_words}" if last_words else problem, where=lost.where)

    def _completed(self, header: dict[str, Any], body: bytes, limit: int, seconds: float) -> Completed:
        code, kept, totals = header.get("exit_code"), header.get("kept"), header.get("totals")
        ok = (
            (code is None or _is_count(code, 255))
            and isinstance(kept, list)
            and isinstance(totals, list)
            and len(kept) == len(totals) == 2
            and all(_is_count(size, limit) for size in kept)
            and all(_is_count(total, 1 << 62) and total >= size for total, size in zip(totals, kept, strict=True))
            and sum(kept) == len(body)
        )
        if not ok or not isinstance(kept, list) or not isinstance(totals, list):
            self.close()
            raise self._forged(f"it answered a run with the fields {', '.join(map(repr, header))[:200]}")
        return Completed(code, body[: kept[0]], body[kept[0] :], totals[0], totals[1], code is None, seconds)

    def _forged(self, problem: str) -> BoxLost:
        return BoxLost("forged", problem, where=_where(self.spec), remedy="Code in the box may have forged it.")


def _where(spec: BoxSpec) -> str:
    return f"{spec.role} box of run {spec.run_id}"


def _no_more(spec: BoxSpec) -> BoxLost:
    return BoxLost("exited", "no further box is opened: this was stopped", where=_where(spec))


def _is_count(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _host_configuration(spec: BoxSpec) -> dict[str, Any]:
    limits = spec.limits
    memory = f"{limits.memory_mb + int(sum(FOLDER_SHARES.values()) * limits.disk_mb)}m"
    options = "exec,nosuid,nodev,uid=1000,gid=1000"
    folders = {
        path: f"{options},size={int(share * limits.disk_mb)}m,nr_inodes={limits.inodes}"
        for path, share in FOLDER_SHARES.items()
    }
    folders["/dev/shm"] = f"{options},size=64m,nr_inodes=1000"
    return {
        "read_only": True,
        "tmpfs": folders,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "pids_limit": limits.pids,
        "mem_limit": memory,
        "memswap_limit": memory,
        "nano_cpus": int(limits.cpus * 1e9),
        "network_mode": "bridge" if spec.network else "none",
        "init": False,  # the server is PID 1 itself: out of reach of signals from inside
        "auto_remove": True,
        "ulimits": [docker.types.Ulimit(name="core", soft=0, hard=0)],
        "log_config": docker.types.LogConfig(type="none"),  # or every frame would be written to the host's disk
    }


def _attach(api: Any, name: str) -> socket.socket:
    """The stream of a container not yet started, so that no byte of it is missed."""
    attached = api.attach_socket(name, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
    stream = socket.socket(fileno=os.dup(attached.fileno()))
    # The response holds the SDK's copy in a cycle; left open, closing ours would not end the container's stdin.
    attached._response.close()
    return stream


def _remove(api: Any, name: str) -> None:
    """Kill and remove; already gone, or going by itself, is as good.

    The engine allows a killed process ten seconds to be reaped and then refuses; on a loaded machine it is asked again.
    """
    for wait in (*REMOVAL_WAITS_SEC, None):
        try:
            with engine_errors(f"container {name}"):
                api.remove_container(name, force=True, v=True)
            return
        except EnvironmentFailure as error:
            status = error.__context__.status_code if isinstance(error.__context__, docker.errors.APIError) else None
            if status in (404, 409):
                return
            if status != 500 or wait is None:
                raise
            time.sleep(wait)


def _how_it_ended(api: Any, name: str, opened: float, limits: Limits) -> tuple[LossCause, str]:
    """From the engine's events: the container removes itself, so there is nothing to inspect."""
    try:
        until = time.time() + 1
        events = list(api.events(since=int(opened), until=int(until), decode=True, filters={"container": name}))
    except (docker.errors.DockerException, requests.exceptions.RequestException):
        return "engine", "the Docker engine is gone"
    actions = [str(event.get("Action", "")) for event in events]
    if "oom" in actions:
        return "memory", f"it ran out of memory (limit {limits.memory_mb} MB)"
    if "kill" in actions:
        return "engine", "it was stopped from outside"
    codes = [event["Actor"]["Attributes"].get("exitCode") for event in events if event.get("Action") == "die"]
    return "exited", f"its server ended with code {codes[-1]}" if codes else "its server ended"

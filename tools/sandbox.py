"""The box untrusted code runs in, as everyone but Docker sees it.

`Sandboxes.open(spec)` gives a `Sandbox`: a context manager with `run`, `put` and `get`. What it guarantees: the code
inside sees no host file, no secret and, unless the spec says so, no network; its processes, memory, files and time are
bounded; and nothing is left behind when the box is closed or the process that opened it dies.
What it does not: a box shares the host's kernel, and whatever `run` and `get` return was written by untrusted code.
`tools/docker.py` is the implementation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, NamedTuple, Protocol, Self

from tools.errors import EnvironmentFailure
from tools.files import MAX_BYTES, MAX_FILES, FileTree

WORKSPACE = "/workspace"
OUTPUT_LIMIT = 1_000_000

Role = Literal["workspace", "solution", "grading", "author"]
LossCause = Literal["memory", "forged", "silent", "exited", "engine"]


@dataclass(frozen=True)
class Limits:
    """What one box may use at most."""

    cpus: float = 1.0
    memory_mb: int = 2048
    """For processes; files have `disk_mb` beside it."""
    pids: int = 256
    """Processes and threads together."""
    disk_mb: int = 512
    """For /workspace; /tmp and /home have half of it each. All three are kept in memory."""
    inodes: int = 20_000
    """Files and directories, for each of the three."""


@dataclass(frozen=True)
class BoxSpec:
    """Which box to open: the image, what it is for, and what it may use."""

    image: str
    role: Role
    run_id: str
    limits: Limits = Limits()
    network: bool = False


@dataclass(frozen=True)
class Completed:
    """A command that ended, by itself or at its deadline."""

    exit_code: int | None
    """None at the deadline; 128 + n when signal n ended it (137: killed, mostly for want of memory)."""
    stdout: bytes
    stderr: bytes
    stdout_total: int
    """Bytes the command wrote; more than `len(stdout)` when the rest was dropped."""
    stderr_total: int
    timed_out: bool
    seconds: float
    """Wall clock, measured outside of the box."""


class Stamp(NamedTuple):
    """Of one file; equal stamps at two times mean that it was not touched in between."""

    size: int
    """Bytes."""
    executable: int
    modified_ns: int
    changed_ns: int
    inode: int


class BoxLost(EnvironmentFailure):
    """The box is gone or can no longer be trusted. `cause` says why, so that blame can be laid.

    `memory`: its own processes used all memory; `forged`: it answered with something the server never says;
    `silent`: it did not answer in time; `exited`: its server ended; `engine`: the connection to the engine broke.
    """

    def __init__(self, cause: LossCause, problem: str, *, where: str, remedy: str = "") -> None:
        super().__init__(problem, where=where, remedy=remedy)
        self.cause = cause

    @property
    def by_code_inside(self) -> bool:
        """Whether the code in the box brought this about, rather than the machine around it."""
        return self.cause != "engine"


class Sandbox(Protocol):
    """One open box. Methods may be called from several threads; one box does one thing at a time."""

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
        """Run a command to its end, or kill every process in the box after `timeout` seconds.

        Of stdout and stderr the first `output_limit` bytes each are kept. Background children may outlive the call;
        what they write after it is lost. Raises ToolError when the command cannot be started, BoxLost.
        """

    def put(self, tree: FileTree, dest: str) -> None:
        """Write the tree below the absolute directory `dest`. Raises SandboxLimit when it does not fit, ToolError."""

    def get(
        self,
        path: str,
        *,
        names: Sequence[str] | None = None,
        max_files: int = MAX_FILES,
        max_bytes: int = MAX_BYTES,
    ) -> FileTree:
        """The regular files below a directory (relative to it), or one file (under its own name); links are dropped.

        With `names` only those of a directory, as far as they are there. Raises SandboxLimit when there are more than
        the limits allow, ToolError when there is no such path.
        """

    def stamps(self, path: str, *, max_files: int = MAX_FILES) -> dict[str, Stamp]:
        """What tells whether a file has changed, for every regular file below a directory, by its relative path.

        Raises SandboxLimit when there are more files than allowed, ToolError when there is no such path.
        """

    def close(self) -> None:
        """Kill and remove the box; harmless when it is closed already."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Sandboxes(Protocol):
    """Where boxes come from."""

    def open(self, spec: BoxSpec) -> Sandbox:
        """A fresh box with empty /workspace, /tmp and /home."""

    def abandon(self) -> None:
        """Close every box, and open no further one: whoever waits for one, in another thread, gets BoxLost at once."""

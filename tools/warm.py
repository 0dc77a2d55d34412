"""Boxes that are used again, emptied in between.

Opening a box costs more than most of what a qualification does in it. `WarmSandboxes` hands out the same few boxes one
after the other: before each use every process of the last one is killed and all that can be written is emptied.
What is *not* promised: freshness against code that means to outlast the emptying (a box that cannot be emptied is
thrown away, but code could hide from it). Whatever such code decides must be looked at in fresh boxes too; the gate
does (harness_builder/checks/repeats.py).
"""

import contextlib
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from tools.errors import EnvironmentFailure, ToolError
from tools.files import MAX_BYTES, MAX_FILES, FileTree
from tools.sandbox import OUTPUT_LIMIT, WORKSPACE, BoxSpec, Completed, Sandbox, Sandboxes, Stamp

EMPTYING_SEC = 20.0
EMPTY = """
import os, shutil, signal, stat
me = os.getpid()
def others():
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, me)]
for _ in range(200):
    if not others():
        break
    try:
        os.kill(-1, signal.SIGKILL)  # everything of this user but the server, which is init here, and this process
    except ProcessLookupError:
        pass
else:
    raise SystemExit("a process would not die")
def let_in(path, *_):
    for each, _, _ in os.walk(path):
        os.chmod(each, 0o700)
for folder in ("/workspace", "/tmp", "/home", "/dev/shm"):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            let_in(entry.path)
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)
"""


class WarmSandboxes:
    """Opens boxes like the `sandboxes` it is given, and keeps closed ones for the next opening of the same spec."""

    def __init__(self, sandboxes: Sandboxes) -> None:
        self._sandboxes = sandboxes
        self._idle: dict[BoxSpec, list[Sandbox]] = defaultdict(list)
        self._lock = threading.Lock()
        self._closed = False

    def open(self, spec: BoxSpec) -> "WarmSandbox":
        """An empty box: a used one if there is one to be had, else a fresh one."""
        with self._lock:
            idle = self._idle[spec].pop() if self._idle[spec] else None
        if idle is not None and not emptied(idle):
            idle = None
        return WarmSandbox(self, idle or self._sandboxes.open(spec), spec)

    def abandon(self) -> None:
        self._sandboxes.abandon()

    def take_back(self, box: Sandbox, spec: BoxSpec) -> None:
        """Keep a box for the next one, unless this is over."""
        with self._lock:
            if not self._closed:
                self._idle[spec].append(box)
                return
        box.close()

    def close(self) -> None:
        """Remove all idle boxes; those still in use are removed when they are closed."""
        with self._lock:
            self._closed = True
            idle = [box for boxes in self._idle.values() for box in boxes]
            self._idle.clear()
        for box in idle:
            box.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class WarmSandbox:
    """A box that goes back to where it came from; one that went wrong in any way is closed instead."""

    def __init__(self, owner: WarmSandboxes, box: Sandbox, spec: BoxSpec) -> None:
        self._owner, self._box, self._spec = owner, box, spec
        self._spoiled = self._returned = False

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
        with self._spoiling():
            return self._box.run(argv, timeout=timeout, cwd=cwd, env=env, stdin=stdin, output_limit=output_limit)

    def put(self, tree: FileTree, dest: str) -> None:
        with self._spoiling():
            self._box.put(tree, dest)

    def get(
        self,
        path: str,
        *,
        names: Sequence[str] | None = None,
        max_files: int = MAX_FILES,
        max_bytes: int = MAX_BYTES,
    ) -> FileTree:
        with self._spoiling():
            return self._box.get(path, names=names, max_files=max_files, max_bytes=max_bytes)

    def stamps(self, path: str, *, max_files: int = MAX_FILES) -> dict[str, Stamp]:
        with self._spoiling():
            return self._box.stamps(path, max_files=max_files)

    def close(self) -> None:
        if self._returned:
            return
        self._returned = True
        if self._spoiled:
            self._box.close()
        else:
            self._owner.take_back(self._box, self._spec)

    @contextlib.contextmanager
    def _spoiling(self) -> Iterator[None]:
        try:
            yield
        except ToolError:
            raise  # what was asked for cannot be; the box is well
        except BaseException:
            self._spoiled = True
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def emptied(box: Sandbox) -> bool:
    """Empty a used box; one that cannot be emptied is closed."""
    with contextlib.suppress(EnvironmentFailure, ToolError):
        if box.run(["python3", "-I", "-S", "-c", EMPTY], timeout=EMPTYING_SEC, cwd="/").exit_code == 0:
            return True
    box.close()
    return False

"""The first process in every box: reads requests on stdin, answers on stdout.

`tools/docker.py` passes this file as `python3 -c SOURCE`; it is never imported, and needs no more than the standard
library of Python 3.10. A frame is two big-endian uint32 lengths, a JSON object and a
body of bytes. Being PID 1 it gets no signal from inside that it has no handler for, and it has one for SIGCHLD alone;
it makes itself undumpable so that code of the same user can neither trace it nor open its channel through /proc. When
stdin ends (the orchestrator is gone) it exits, and the kernel kills everything else in the box. None of this is trusted
on the other side, which checks every frame.
"""

import contextlib
import errno
import fcntl
import io
import json
import os
import selectors
import signal
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, NoReturn

Answer = tuple[dict[str, Any], bytes]

PR_SET_DUMPABLE = 4
PIPE_CAPACITY = 1 << 16
LONGEST_WAIT_SEC = 3_600.0  # one wait of the kernel's takes no more than 2^31 ms; longer ones are waited in pieces
LENGTHS = struct.Struct(">II")


class TooMuch(Exception):
    """A limit named in the request was exceeded."""


# ---- frames


def read_exactly(size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = os.read(0, min(size - len(data), 1 << 20))
        if not chunk:
            leave()
        data += chunk
    return bytes(data)


def write_frame(header: dict[str, Any], body: bytes = b"") -> None:
    head = json.dumps(header).encode()
    rest = memoryview(LENGTHS.pack(len(head), len(body)) + head + body)
    while rest:
        rest = rest[os.write(1, rest) :]


def leave() -> NoReturn:
    os._exit(0)


# ---- run


class Output:
    """One pipe of a command: the first `limit` bytes are kept, the rest is only counted."""

    def __init__(self, limit: int) -> None:
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        self.kept, self.total, self.limit = bytearray(), 0, limit

    def read_some(self) -> int:
        """Bytes read now; 0 when nothing is there or every writer has closed it."""
        try:
            chunk = os.read(self.reader, PIPE_CAPACITY)
        except BlockingIOError:
            return 0
        self.kept += chunk[: max(0, self.limit - self.total)]
        self.total += len(chunk)
        return len(chunk)

    def drain(self) -> None:
        """Take what the ended command left in the pipe: no more than fits, since background children may go on."""
        left = fcntl.fcntl(self.reader, fcntl.F_GETPIPE_SZ)
        while left > 0 and (size := self.read_some()):
            left -= size
        os.close(self.reader)


def run(request: dict[str, Any], stdin: bytes) -> Answer:
    reap(None)
    outputs = [Output(request["output_limit"]) for _ in range(2)]
    try:
        child = spawn(request, stdin, *outputs)
    except (OSError, ValueError):
        for output in outputs:
            os.close(output.reader)
        raise
    finally:
        for output in outputs:
            os.close(output.writer)
    status = watch(child.pid, outputs, time.monotonic() + request["timeout"])
    timed_out = status is None
    if status is None:
        kill_everything()
        _, status = os.waitpid(child.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    child.returncode = code  # reaped here, so Popen must not look for it again
    for output in outputs:
        output.drain()
    out, err = outputs
    header = {
        "exit_code": None if timed_out else code if code >= 0 else 128 - code,
        "kept": [len(out.kept), len(err.kept)],
        "totals": [out.total, err.total],
    }
    return header, bytes(out.kept + err.kept)


def spawn(request: dict[str, Any], stdin: bytes, out: Output, err: Output) -> "subprocess.Popen[bytes]":
    with memory_file(stdin) as source, preferred_by_oom_killer():
        for last_try in (False, True):
            try:
                return subprocess.Popen(
                    request["argv"],
                    cwd=request["cwd"],
                    env={**os.environ, **request["env"]},
                    stdin=source,
                    stdout=out.writer,
                    stderr=err.writer,
                    start_new_session=True,
                )
            except BlockingIOError:  # a fork bomb left by an earlier command holds every process slot
                if last_try:
                    raise
                kill_everything()
                time.sleep(0.05)
                reap(None)
    raise AssertionError("unreachable")


@contextlib.contextmanager
def memory_file(data: bytes) -> Iterator[int]:
    handle = os.memfd_create("stdin") if data else os.open(os.devnull, os.O_RDONLY)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        if data:
            os.lseek(handle, 0, os.SEEK_SET)
        yield handle
    finally:
        os.close(handle)


@contextlib.contextmanager
def preferred_by_oom_killer() -> Iterator[None]:
    """Children started here are killed for want of memory before this server is."""
    set_oom_score(1000)
    try:
        yield
    finally:
        set_oom_score(0)


def set_oom_score(score: int) -> None:
    with contextlib.suppress(OSError):
        os.pwrite(OOM_SCORE, str(score).encode(), 0)


def watch(pid: int, outputs: list[Output], deadline: float) -> "int | None":
    """Collect output until `pid` ends (its wait status) or the deadline passes (None)."""
    with selectors.DefaultSelector() as selector:
        selector.register(0, selectors.EVENT_READ)
        selector.register(WAKE, selectors.EVENT_READ)
        for output in outputs:
            selector.register(output.reader, selectors.EVENT_READ, output)
        while (left := deadline - time.monotonic()) > 0:
            for key, _ in selector.select(min(left, LONGEST_WAIT_SEC)):
                if key.fd == 0:  # nobody speaks during a run: this is the end of stdin
                    leave()
                if key.fd == WAKE:
                    with contextlib.suppress(BlockingIOError):
                        os.read(WAKE, 4096)
                elif not key.data.read_some():
                    selector.unregister(key.fd)
            if (status := reap(pid)) is not None:
                return status
    return None


def reap(pid: "int | None") -> "int | None":
    """Collect every ended process, orphans included; the wait status of `pid` when it is one of them."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == pid:
                found = ended[1]
    return found


def kill_everything() -> None:
    """All processes but this one, at once: what left its group or session, and a fork bomb too."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)


# ---- files


def put(request: dict[str, Any], body: bytes) -> Answer:
    import tarfile  # noqa: PLC0415  here, as it would add a tenth to the time a box needs to open

    os.makedirs(request["dest"], exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(body)) as archive:
        for entry in archive:
            path = os.path.join(request["dest"], entry.name)
            content = archive.extractfile(entry)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            replace_file(path, content.read() if content else b"", entry.mode)
    return {}, b""


def replace_file(path: str, data: bytes, mode: int) -> None:
    """Whole or not at all; a file that is there keeps its mode, a link is replaced and not followed."""
    import tempfile  # noqa: PLC0415

    with contextlib.suppress(FileNotFoundError):
        there = os.lstat(path).st_mode
        mode = stat.S_IMODE(there) if stat.S_ISREG(there) else mode
    handle, part = tempfile.mkstemp(prefix=".part-", dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(part, mode)
        os.replace(part, path)
    except OSError:
        os.unlink(part)
        raise


def stamps(request: dict[str, Any], _: bytes) -> Answer:
    rows: list[list[Any]] = []
    for name, path in regular_files(request["path"]):
        try:
            found = os.lstat(path)
        except FileNotFoundError:  # removed meanwhile
            continue
        if stat.S_ISREG(found.st_mode):
            executable = int(found.st_mode & stat.S_IXUSR > 0)
            rows.append([name, found.st_size, executable, found.st_mtime_ns, found.st_ctime_ns, found.st_ino])
        if len(rows) > request["max_files"]:
            raise TooMuch(f"more than {request['max_files']} files")
    return {}, json.dumps(rows).encode()


def get(request: dict[str, Any], _: bytes) -> Answer:
    import tarfile  # noqa: PLC0415

    buffer, count, total = io.BytesIO(), 0, 0
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, path in chosen_files(request["path"], request["names"]):
            data = read_file(path, request["max_bytes"] - total)
            if data is None:
                continue
            count, total = count + 1, total + len(data)
            if count > request["max_files"]:
                raise TooMuch(f"more than {request['max_files']} files")
            if total > request["max_bytes"]:
                raise TooMuch(f"more than {request['max_bytes']} bytes of files")
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return {}, buffer.getvalue()


def chosen_files(path: str, names: "list[str] | None") -> "Iterator[tuple[str, str]]":
    return regular_files(path) if names is None else ((name, os.path.join(path, name)) for name in names)


def regular_files(path: str) -> "Iterator[tuple[str, str]]":
    """(name in the tree, path) of `path` itself, or of every non-directory below it; links are not followed."""
    mode = os.lstat(path).st_mode
    if stat.S_ISREG(mode):
        yield os.path.basename(path), path
    elif not stat.S_ISDIR(mode):
        raise FileNotFoundError(errno.ENOENT, "neither a file nor a directory", path)
    for folder, _, names in os.walk(path):
        for name in names:
            whole = os.path.join(folder, name)
            yield os.path.relpath(whole, path), whole


def read_file(path: str, room: int) -> "bytes | None":
    """At most one byte more than `room`; None when it is no regular file, or gone by now."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.ENOENT):  # a link, a socket, removed meanwhile
            return None
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with open(handle, "rb") as file:
        return file.read(room + 1)


# ---- the loop

HANDLERS = {"run": run, "put": put, "get": get, "stamps": stamps}
WAKE = -1  # becomes readable when a child ends
OOM_SCORE = -1  # /proc/self/oom_score_adj, opened while it still can be


def answer(request: dict[str, Any], body: bytes) -> Answer:
    try:
        return HANDLERS[request["op"]](request, body)
    except TooMuch as error:
        return refusal(str(error), limit=True)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return refusal(f"{place}{error.strerror}", limit=error.errno in (errno.ENOSPC, errno.EDQUOT))
    except (MemoryError, RecursionError) as error:
        return refusal(f"too large or too deeply nested ({type(error).__name__})", limit=True)
    except ValueError as error:  # a NUL in a path or an argument
        return refusal(str(error), limit=False)


def refusal(problem: str, *, limit: bool) -> Answer:
    # A file name that is not UTF-8 comes as half surrogate pairs, which no text may hold: they are written out.
    return {"error": problem.encode(errors="backslashreplace").decode(), "limit": limit}, b""


def make_undumpable() -> None:
    import ctypes  # noqa: PLC0415

    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def serve() -> NoReturn:
    global WAKE, OOM_SCORE  # noqa: PLW0603
    OOM_SCORE = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    WAKE, writer = os.pipe()
    os.set_blocking(WAKE, False)
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # Python's handler would let code inside raise KeyboardInterrupt here. Ignoring it would be inherited by commands.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    make_undumpable()
    write_frame({"ready": sys.version_info[:2]})
    while True:
        head, body = LENGTHS.unpack(read_exactly(LENGTHS.size))
        request = json.loads(read_exactly(head))
        write_frame(*answer(request, read_exactly(body)))


if __name__ == "__main__":
    serve()

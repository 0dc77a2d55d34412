"""One driver a run: a lock that lives exactly as long as the process that holds it.

The lock is `flock` on a small file in `<database>.drivers/`, which the kernel drops when its holder dies, however it
dies. It keeps two processes from driving one run; it does not guard the chain, which no number of writers can fork.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from tools.errors import AuthorError

_PROBE_SECONDS = 0.5
"""`is_driven` holds the lock for microseconds; a driver that meets it tries again for this long."""


def lock_path(database: Path, run_id: str) -> Path:
    """The lock file of one run; the id is quoted, for it may come from a database that someone else wrote."""
    return database.with_name(f"{database.name}.drivers") / f"{quote(run_id, safe='', errors='surrogateescape')}.lock"


@contextmanager
def drive(database: Path, run_id: str) -> Iterator[None]:
    """Hold the run's lock; AuthorError naming the process that holds it already."""
    path = lock_path(database, run_id)
    handle = _acquire(path, run_id)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def is_driven(database: Path, run_id: str) -> bool:
    """Whether some process (this one included) holds the run's lock."""
    try:
        handle = os.open(lock_path(database, run_id), os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _locked(handle, fcntl.LOCK_SH)
    finally:
        os.close(handle)


def _acquire(path: Path, run_id: str) -> int:
    deadline = time.monotonic() + _PROBE_SECONDS
    while True:
        handle = _open(path)
        # A file without links was removed by its last holder between our opening and our locking it.
        if _locked(handle, fcntl.LOCK_EX) and os.fstat(handle).st_nlink:
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
            return handle
        holder = os.pread(handle, 20, 0).decode(errors="replace")
        os.close(handle)
        if time.monotonic() > deadline:
            remedy = "Wait for it, or end that process."
            raise AuthorError(f"run {run_id} is being driven by process {holder or 'unknown'}", remedy=remedy)
        time.sleep(0.01)


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        remedy = "The database's directory must be writable to drive a run."
        raise AuthorError(f"cannot lock the run: {error.strerror}", where=str(path), remedy=remedy) from None


def _locked(handle: int, mode: int) -> bool:
    try:
        fcntl.flock(handle, mode | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

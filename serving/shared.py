"""A running engine, written down so that another process can use it.

`evalwright serve` publishes its engine in one file of the cache directory; `evalwright run` finds it there and attaches
instead of starting its own. The file holds the key, so only its owner may read it. A record counts only while the very
process that wrote it lives (id and start time, since ids are reused) and the engine answers. Attaching gives an
endpoint, never ownership: who attached cannot stop the engine.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import psutil

from serving.endpoint import Endpoint
from serving.paths import cache_home
from tools.errors import EnvironmentFailure

# Seconds; psutil derives a start time from clock ticks and the boot time, which is read again in every process.
SAME_START = 2.0


@contextlib.contextmanager
def published(endpoint: Endpoint, *, home: Path | None = None) -> Iterator[Path]:
    """Publish `endpoint` while the block runs."""
    record = publish(endpoint, home=home)
    try:
        yield record
    finally:
        record.unlink(missing_ok=True)


def publish(endpoint: Endpoint, *, home: Path | None = None) -> Path:
    """Write the record of an engine held by this process; replaces an older one at once."""
    record = _record(home)
    record.parent.mkdir(parents=True, exist_ok=True)
    scratch = record.with_suffix(f".{os.getpid()}")
    with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(
            {
                "pid": os.getpid(),
                "started": psutil.Process().create_time(),
                "base_url": endpoint.base_url,
                "model": endpoint.model,
                "api_key": endpoint.api_key,
            },
            file,
        )
    scratch.replace(record)
    return record


def find(*, home: Path | None = None) -> Endpoint | None:
    """The published engine, or None when there is none alive; a record left by a dead process is removed."""
    record = _record(home)
    try:
        entry = json.loads(record.read_text())
        endpoint = Endpoint(entry["base_url"], entry["model"], entry["api_key"])
        alive = _lives(int(entry["pid"]), float(entry["started"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        alive = False
    if not alive:
        record.unlink(missing_ok=True)
        return None
    return None if endpoint.health() == "dead" else endpoint


def attach(*, home: Path | None = None) -> Endpoint:
    """The published engine; EnvironmentFailure when there is none."""
    endpoint = find(home=home)
    if endpoint is None:
        raise EnvironmentFailure(
            "no engine is being served", where=str(_record(home)), remedy="Start one with `evalwright serve`."
        )
    return endpoint


def _record(home: Path | None) -> Path:
    return (home or cache_home()) / "engine.json"


def _lives(pid: int, started: float) -> bool:
    try:
        return bool(abs(psutil.Process(pid).create_time() - started) < SAME_START)
    except psutil.Error:
        return False

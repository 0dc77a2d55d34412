"""Who opened a container, in labels, and whether that process is gone.

A process number means something only to those who see the same processes: inside one boot of one kernel, in one PID
namespace. So the labels name all three, and `is_gone` answers yes only when it can know: the owner is of our own
namespace and no longer runs, or it belongs to an earlier boot of this machine and its container does not run either.
Of everything else (another host at the same Docker engine, an Evalwright that runs in a container, a label that we
never wrote) it knows nothing, and says no.
"""

import hashlib
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PREFIX = "evalwright"
OWNER = f"{PREFIX}.owner"
AT_REST = ("created", "exited", "dead")
"""States of a container in which nothing runs; one with an owner passes through them in an instant."""
AT_REST_SEC = 600.0
"""So old must a container be that is found in them: far more than an instant, even where two hosts' clocks differ."""


def this_process() -> dict[str, str]:
    """Labels that name this process so that no other, now or later, here or elsewhere, can be taken for it."""
    ticks = _ticks(os.getpid())
    # `started`, a time of day, is what an Evalwright of an earlier version beside us judges by, with 5 s of tolerance.
    facts = {"started": _time_of_day(ticks), "ticks": ticks, **_place(), "machine": _machine()}
    return {OWNER: str(os.getpid()), **{f"{PREFIX}.{name}": fact for name, fact in facts.items()}}


def is_gone(container: Mapping[str, Any]) -> bool:
    """Whether the owner of a container, as the engine lists it, certainly runs no more."""
    labels: Mapping[str, str] = container["Labels"]
    ours = _place()
    theirs = {name: labels.get(f"{PREFIX}.{name}", "") for name in ours}
    if not all(ours.values()):
        return False
    if theirs == ours:
        return not _runs(labels.get(OWNER, ""), labels.get(f"{PREFIX}.ticks", ""))
    return bool(theirs["boot"]) and theirs["boot"] != ours["boot"] and _is_left_by_an_earlier_boot(container)


def _is_left_by_an_earlier_boot(container: Mapping[str, Any]) -> bool:
    # Machines made from one image may share their id: it alone is not enough to remove what another one runs.
    machine = _machine()
    at_rest = container["State"] in AT_REST and time.time() - container["Created"] > AT_REST_SEC
    return at_rest and bool(machine) and container["Labels"].get(f"{PREFIX}.machine") == machine


def _place() -> dict[str, str]:
    """Where our process numbers hold; empty texts when /proc does not tell, or shows another namespace than ours."""
    try:
        if os.readlink("/proc/self") != str(os.getpid()):
            return {"boot": "", "namespace": ""}
        namespace = str(os.stat("/proc/self/ns/pid").st_ino)
    except OSError:
        return {"boot": "", "namespace": ""}
    return {"boot": _read("/proc/sys/kernel/random/boot_id"), "namespace": namespace}


def _runs(pid: str, ticks: str) -> bool:
    """Whether the process still runs; where that cannot be told, it does."""
    if not (pid.isascii() and pid.isdigit() and 0 < int(pid) < 1 << 31):
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:  # it runs, as somebody else, whose start may be hidden from us
        pass
    now = _ticks(int(pid))
    return now in ("", ticks) or not ticks


def _ticks(pid: int) -> str:
    """When a process started, in clock ticks since boot: unlike a time of day, nothing sets it meanwhile."""
    # The second field is the name, in parentheses, which may itself hold any character; the start is the 22nd.
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else ""


def _time_of_day(ticks: str) -> str:
    age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(ticks or 0) / os.sysconf("SC_CLK_TCK")
    return f"{time.time() - age:.0f}"


def _machine() -> str:
    """Names this machine over its boots, empty where it has no name; hashed, as machine-id(5) asks for."""
    name = _read("/etc/machine-id")
    return hashlib.sha256(f"{PREFIX}:{name}".encode()).hexdigest()[:16] if name else ""


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""

"""Q8: what a submission can list, read and connect to while it runs."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from scipy.stats import binomtest

from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, Undecided, failed, passed, some
from harness_builder.records import records
from harness_builder.shapes import WHOLE, fields
from harness_builder.sought import Sought
from tools.files import FileTree

ID, TITLE = "Q8", "submissions see their inputs only"
LOOK_AROUND = """\
import json, os, socket
seen = {"files": [], "environment": sorted(os.environ), "network": [], "sockets": [], "reached": []}
for root in ("/workspace", "/tmp", "/home", "/dev/shm", "/mnt", "/media", "/srv", "/root", "/run", "/var/run"):
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            try:
                if os.path.isfile(path):
                    with open(path, "rb"):
                        seen["files"].append(path)
                elif not os.path.isdir(path):
                    seen["sockets"].append(path)
            except OSError:
                pass
seen["network"] = [name for name in os.listdir("/sys/class/net") if name != "lo"]
for host, port in (("127.0.0.1", 2375), ("172.17.0.1", 2375), ("172.17.0.1", 22), ("host.docker.internal", 80)):
    try:
        socket.create_connection((host, port), timeout=0.3).close()
        seen["reached"].append(f"{host}:{port}")
    except OSError:
        pass
with open(os.environ["CASES"]) as cases:
    first = json.loads(next(cases))["id"]
with open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    out.write(json.dumps({"id": first, "output": json.dumps(seen)}) + "\\n")
"""
SCOUT = FileTree({"reproduce.sh": b"python3 scout.py\n", "scout.py": LOOK_AROUND.encode()})
OURS = ("/workspace/public/", "/workspace/submission/", "/workspace/cases/inputs.jsonl", "/workspace/out/")
SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "EVALWRIGHT", "DOCKER")
MOST_LEAKED = 0.1
"""Share of validation cases whose input and expectation may stand together in readable files: by accident, some do."""
TELLING = 12
"""Characters from which on values do not stand together by accident."""
IN_ORDER, ACCIDENT = 0.9, 1e-6
LONG, DENSE = 8, 0.2
"""Characters of an expectation that is rare, and the share of the lines of a file from which on it is about answers."""


def look(evidence: Evidence) -> Finding:
    collected = evidence.run(SCOUT, evidence.validation, evidence.fresh)
    if not collected.outputs:
        raise Undecided(f"the scout gave no report: {collected.failure} {collected.log[-300:]}")
    seen = json.loads(next(iter(collected.outputs.values())))
    strange = [path for path in seen["files"] if not path.startswith(OURS)]
    secrets = [name for name in seen["environment"] if any(word in name.upper() for word in SECRET_WORDS)]
    for what, found in (
        ("files beside its own", [*strange, *seen["sockets"]]),
        ("environment variables that may be secrets", secrets),
        ("network interfaces", [] if evidence.task.ours.network else seen["network"]),
        ("other machines", [] if evidence.task.ours.network else seen["reached"]),
    ):
        if found:
            return failed(f"A submission can reach {what}: {some(found)}.", "Keep them out of its container.")
    return _expectations_in(evidence)


def _expectations_in(evidence: Evidence) -> Finding:
    """Whether a public file answers validation cases: by input, by id, by order, or by a key that hides which."""
    cases, known = evidence.validation.cases, evidence.public.cases
    for path, data in evidence.task.public_files.files.items():
        lines = records(data)
        others = [line for line in lines if not any(f'"{case.id}"' in line for case in known)]
        for part, wanted in _parts([case.expected for case in cases]).items():
            public = _parts([case.expected for case in known]).get(part, [])
            for what, answered in (
                ("by their inputs", _beside([case.input for case in cases], wanted, lines, TELLING)),
                ("by their ids", _beside([case.id for case in cases], wanted, lines)),
                ("in their order", _in_order(wanted, lines)),
                ("under keys of some kind", _densely({*wanted} - {*public}, others)),
            ):
                if answered > MOST_LEAKED * len(cases):
                    told = f"public/{path} holds {part or 'what is expected'} of {answered} validation cases, {what}."
                    return failed(told, "Take these lines out of the public folder.")
    return passed("It sees no files but its own, and no expectation of validation in them.")


def _parts(expected: Sequence[Any]) -> dict[str, list[Sought]]:
    """The expectations as a whole, and each of their fields."""
    names = fields(expected)
    parts = {name: [Sought.of(each[name]) for each in expected] for name in names if names != (WHOLE,)}
    return {"": list(map(Sought.of, expected)), **parts}


def _beside(keys: Sequence[Any], wanted: Sequence[Sought], lines: Sequence[str], least: int = 0) -> int:
    """How many keys stand in a line with what is expected there, more than with what is expected elsewhere."""

    def answered(expected: Sequence[Sought]) -> int:
        pairs = zip(map(Sought.of, keys), expected, strict=True)
        both = [key.and_(each) for key, each in pairs if key.units and each.units]
        return sum(any(map(each.stands_in, lines)) for each in both if each.size >= least)

    hits = answered(wanted)
    return hits - answered([*wanted[1:], *wanted[:1]]) if hits else 0


def _in_order(wanted: Sequence[Sought], lines: Sequence[str]) -> int:
    """How many expectations stand in successive lines, in the order of the cases; 0 when it may be an accident."""
    usual = max(Counter(wanted).values()) / len(wanted)
    for start in range(len(lines) - len(wanted) + 1):
        hits = 0
        for place, each in enumerate(wanted):
            hits += each.stands_in(lines[start + place])
            if hits < IN_ORDER * (place + 1) - 1:
                break
        else:
            if binomtest(hits, len(wanted), usual, alternative="greater").pvalue < ACCIDENT:
                return hits
    return 0


def _densely(rare: set[Sought], lines: Sequence[str]) -> int:
    """How many rare, long expectations stand in a file that hardly holds anything else; 0 in one that does."""
    found, telling = 0, set[int]()
    for each in rare:
        places = {place for place, line in enumerate(lines) if each.stands_in(line)} if each.size >= LONG else set()
        found += bool(places)
        telling |= places
    return found if len(telling) >= DENSE * len(lines) and found >= DENSE * len(rare) else 0

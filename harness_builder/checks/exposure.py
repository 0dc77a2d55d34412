"""Q8: what a submission can list, read and connect to while it runs."""

import json
import re
from typing import Any

from evals.splits import Case
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, Undecided, failed, passed, some
from harness_builder.shapes import leaves
from tools.files import FileTree

ID, TITLE = "Q8", "submissions see their inputs only"
LOOK_AROUND = """\
import json, os, socket
seen = {"files": {}, "environment": sorted(os.environ), "network": [], "sockets": [], "reached": []}
for root in ("/workspace", "/tmp", "/home", "/dev/shm", "/mnt", "/media", "/srv", "/root", "/run", "/var/run"):
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            try:
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        seen["files"][path] = file.read(2_000_000).decode("utf-8", "replace")[:200_000]
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
    out.write(json.dumps({"id": first, "output": json.dumps(seen)[:900_000]}) + "\\n")
"""
SCOUT = FileTree({"reproduce.sh": b"python3 scout.py\n", "scout.py": LOOK_AROUND.encode()})
OURS = ("/workspace/public/", "/workspace/submission/", "/workspace/cases/inputs.jsonl", "/workspace/out/")
SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "EVALWRIGHT", "DOCKER")
MOST_LEAKED = 0.1
"""Share of validation cases whose input and expectation may stand together in readable files: by accident, some do."""

SOME = 8
"""Values of an input, and of an expectation, that are looked for."""
TELLING = 12
"""Characters from which on values do not stand together by accident."""


def look(evidence: Evidence) -> Finding:
    collected = evidence.fresh.collect(SCOUT, evidence.validation)
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
    return _expectations_in(evidence, seen["files"])


def _expectations_in(evidence: Evidence, contents: dict[str, str]) -> Finding:
    readable = {path: text for path, text in contents.items() if not path.startswith("/workspace/submission/")}
    for path, text in readable.items():
        if path == "/workspace/cases/inputs.jsonl":
            continue
        leaked = [case.id for case in evidence.validation.cases if _stands_in(case, text)]
        if len(leaked) > MOST_LEAKED * len(evidence.validation.cases):
            told = f"{path} holds inputs of validation together with what is expected: {len(leaked)} cases."
            return failed(told, "Take these lines out of the public folder.")
    return passed(f"{len(contents)} files seen, all its own.")


def _stands_in(case: Case, text: str) -> bool:
    """Whether some line holds all telling values of the input and of the expectation."""
    words = [*_telling(case.input), *_telling(case.expected)]
    if sum(map(len, words)) < TELLING or not _telling(case.expected):
        return False
    longest = max(words, key=len)
    lines = (line for line in text.split("\n") if longest in line)
    return any(all(re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", line) for word in words) for line in lines)


def _telling(value: Any) -> list[str]:
    """Texts and numbers as they would be written; some are enough."""
    texts = [leaf if isinstance(leaf, str) else json.dumps(leaf) for _, leaf in leaves(value)]
    return list(dict.fromkeys(text for text in texts if text))[:SOME]

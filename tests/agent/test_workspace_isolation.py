"""From inside the workspace of a real run: what the agent's code can find, and what it cannot."""

import json
from typing import Any

import pytest

OUTSIDE = "-path /proc -prune -o"
COMMANDS = {
    "user": "id -u; id -g",
    "files": "find /workspace -type f | sort",
    "names": f"find / {OUTSIDE} -regex '.*/\\(runs.db\\|key-\\|docker.*sock\\).*' -print 2>/dev/null; true",
    "sockets": f"find / {OUTSIDE} -type s -print 2>/dev/null; true",
    "interfaces": "ls /sys/class/net",
    "gateway": "python3 -c \"import socket; socket.create_connection(('172.17.0.1', 22), timeout=3)\" 2>&1 | tail -n 1",
    "neighbour": "for i in 2 3 4 5; do (echo > /dev/tcp/172.17.0.$i/80) 2>&1; done | grep -vc unreachable",
    "environment": "env | sort; tr '\\0' '\\n' < /proc/1/environ 2>&1",
    "processes": "cat /proc/[0-9]*/comm | sort -u",
    "disks": "awk '{ print $3, $2 }' /proc/mounts | grep -E '^(ext4|xfs|btrfs|virtiofs|9p|nfs|fuse)'; echo looked",
    "root": "touch /etc/x /usr/x 2>&1; true",
}
PLACES = "/workspace /tmp /home /root /etc /opt /srv /mnt /media /var /run /dev/shm"


def search_for(needles: list[str]) -> str:
    """A command that lists the files with any of the needles, which reach it through a pipe and so lie in no file."""
    lines = "\n".join(needles)
    return f"grep -rlF -f /dev/stdin {PLACES} 2>/dev/null <<'EOF'\n{lines}\nEOF\ntrue"


@pytest.fixture(scope="module")
def seen(new_house: Any, new_script: Any, tiny: Any, image: str) -> dict[str, str]:
    """What each command printed in the workspace of a run."""
    house, script = new_house(), new_script()
    hidden = [json.loads(line) for line in tiny.tree.text("splits/test.jsonl").splitlines()]
    hidden += [case.as_dict() for case in tiny.validation.cases]
    public = {str(case.expected) for case in tiny.public.cases}
    needles = [case["id"] for case in hidden] + [str(case["expected"]) for case in hidden]
    needles = [needle for needle in needles if needle not in public and len(needle) > 6]
    commands = {
        **COMMANDS,
        "hidden cases": search_for(needles),
        "public cases": search_for([case.id for case in tiny.public.cases]),
    }
    script.study()
    for command in commands.values():
        script.use("build_harness", "bash", command=command, timeout=100)
    for _ in range(10):
        script.say("build_harness", "Enough.")
    done = house.call(
        "run",
        tiny.where,
        "--model",
        house.model(script),
        OPENAI_API_KEY="hush-hush",
        HTTPS_PROXY="http://u:hush-hush@x",
    )
    assert done.code == 1, done.err
    texts = [each["text"] for each in house.events("tool.result")]
    return dict(zip(commands, texts, strict=True))


def test_its_code_is_an_ordinary_user_and_the_system_is_read_only(seen: dict[str, str]) -> None:
    assert seen["user"] == "1000\n1000"
    assert seen["root"].count("Read-only file system") == 2


def test_it_starts_with_the_task_the_public_data_and_the_scaffold_and_nothing_else(seen: dict[str, str]) -> None:
    assert seen["files"].splitlines() == [
        "/workspace/harness/harness.toml",
        "/workspace/harness/metrics.py",
        "/workspace/harness/rules.json",
        "/workspace/harness/test_requirements.py",
        "/workspace/instruction.md",
        "/workspace/paper.md",
        "/workspace/public/cases.jsonl",
    ]


def test_it_holds_no_case_of_validation_or_test(seen: dict[str, str]) -> None:
    assert seen["public cases"] == "/workspace/public/cases.jsonl", "the search finds what is there"
    assert seen["hidden cases"] == "(no output)"


def test_it_holds_no_ledger_no_key_and_no_docker_socket(seen: dict[str, str]) -> None:
    assert seen["names"] == "(no output)"
    assert seen["sockets"] == "(no output)"
    *mounts, last = seen["disks"].splitlines()
    assert last == "looked"
    # Docker itself mounts these three small files, read-only here, from its own folder.
    assert {mount.split()[1] for mount in mounts} <= {"/etc/hosts", "/etc/hostname", "/etc/resolv.conf"}


def test_no_other_machine_and_no_other_container_is_reachable(seen: dict[str, str]) -> None:
    assert seen["interfaces"] == "lo"
    assert "Network is unreachable" in seen["gateway"]
    assert seen["neighbour"].splitlines()[0] == "0"


def test_nothing_of_the_orchestrator_is_visible(seen: dict[str, str]) -> None:
    assert "HOME=/home" in seen["environment"]
    assert "hush-hush" not in seen["environment"]
    assert "EVALWRIGHT" not in seen["environment"]
    assert set(seen["processes"].split()) <= {"bash", "cat", "python3", "sort"}

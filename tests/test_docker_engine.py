"""scripts/docker-engine.sh, held to its promises with stand-ins for Docker, apt-get and the service managers.

The script sees a PATH of its own with nothing in it that could touch the machine's engine.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
HARMLESS = ("bash", "dirname", "flock", "mkdir", "mv", "sed", "setsid", "sleep", "tail", "timeout", "touch")
STANDINS = {
    "docker": '[ -e "$STATE/up" ] && echo 20.10.24',
    "dockerd": 'echo started >>"$STATE/starts"; sleep 1; touch "$STATE/up"; sleep 2',
    "apt-get": 'echo "$*" >>"$STATE/apt"; [ "$1" = update ] || mv "$STATE/dockerd" "$STATE/bin/"',
    "systemctl": "exit 1",
    "service": "exit 1",
    "pidof": "exit 1",
    "id": 'echo "$FAKE_UID"',
}


class Machine:
    """A machine with a client but no engine running, on which the script can be called."""

    def __init__(self, root: Path, uid: int = 0) -> None:
        self.root, self.bin = root, root / "bin"
        self.bin.mkdir()
        shutil.copytree(SCRIPTS, root / "scripts")
        for name in HARMLESS:
            (self.bin / name).symlink_to(shutil.which(name) or name)
        for name, body in STANDINS.items():
            (self.bin / name).write_text(f"#!{self.bin}/bash\n{body}\n")
            (self.bin / name).chmod(0o755)
        self.environment = {"PATH": str(self.bin), "STATE": str(root), "TMPDIR": str(root), "FAKE_UID": str(uid)}

    def call(self) -> "subprocess.Popen[str]":
        command = [str(self.bin / "bash"), str(self.root / "scripts" / "docker-engine.sh")]
        return subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def starts(self) -> int:
        log = self.root / "starts"
        return len(log.read_text().splitlines()) if log.exists() else 0


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_a_running_engine_is_used_as_it_is(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (tmp_path / "up").touch()
    assert finish(machine.call()) == (0, "Docker engine 20.10.24 answers\n", "")
    assert machine.starts() == 0


def test_two_callers_at_once_start_one_engine(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    first, second = machine.call(), machine.call()
    for status, out, _ in (finish(first), finish(second)):
        assert (status, out.splitlines()[-1]) == (0, "Docker engine 20.10.24 answers")
    assert machine.starts() == 1


def test_a_client_without_an_engine_gets_docker_io_installed(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (machine.bin / "dockerd").rename(tmp_path / "dockerd")
    status, out, _ = finish(machine.call())
    assert (status, out.splitlines()[-1]) == (0, "Docker engine 20.10.24 answers")
    assert (tmp_path / "apt").read_text().splitlines() == ["update -qq", "install -y -qq docker.io"]


def test_someone_else_than_root_is_told_what_to_do_in_one_line(tmp_path: Path) -> None:
    machine = Machine(tmp_path, uid=1000)
    status, out, err = finish(machine.call())
    assert (status, out, len(err.splitlines())) == (3, "", 1)
    assert "no Docker engine answers this user" in err and "apt-get install -y docker.io" in err
    assert machine.starts() == 0


def test_an_engine_that_cannot_start_is_reported_with_its_log(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (machine.bin / "dockerd").write_text(f"#!{machine.bin}/bash\necho no space for iptables; exit 1\n")
    status, out, _ = finish(machine.call())
    assert status == 3
    assert "no space for iptables" in out


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.sh")), ids=lambda path: path.name)
def test_a_script_is_valid_bash(script: Path) -> None:
    assert subprocess.run(["bash", "-n", script], check=False, env=dict(os.environ)).returncode == 0

"""A house for each test: a ledger, a key directory and scripts of its own, and the real command working in it.

The model is scripted, everything else is real: processes, containers, the ledger's file.
"""

import importlib.util
import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Self

import docker
import psutil
import pytest

from agent.cli import main
from evals.ledger import Ledger, RunSummary
from evals.task import Task, load_task
from harness_builder.gate import Gate
from tools.files import FileTree

ROOT = Path(__file__).resolve().parents[2]
REMEMBERED = ROOT / "tests/agent/remembered.py"

SUBMISSION = """python3 - <<'EOF'
import json, math, os


def solve(n, c, k):
    return {formula}


with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for line in cases:
        case = json.loads(line)
        out.write(json.dumps({{"id": case["id"], "output": solve(**case["input"])}}) + "\\n")
EOF
"""
"""A pass@k submission; Chen et al. 2021, Eq. 1 is the right formula: 1 - C(n-c, k) / C(n, k)."""
RIGHT = SUBMISSION.format(formula="1.0 - math.comb(n - c, k) / math.comb(n, k)")
WRONG = SUBMISSION.format(formula="c / n")


def remembered() -> Any:
    """remembered.py, which tests cannot import by a name."""
    spec = importlib.util.spec_from_file_location("remembered", REMEMBERED)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Said:
    """What one command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Script:
    """Answers of a scripted model, one after the other."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def say(self, purpose: str, content: str, **more: Any) -> Self:
        self.lines.append({"purpose": purpose, "content": content, **more})
        return self

    def use(self, purpose: str, tool: str, **arguments: Any) -> Self:
        self.lines.append({"purpose": purpose, "tool_calls": [{"name": tool, "arguments": arguments}]})
        return self

    def study(self) -> Self:
        return self.say("study", "Compute what the paper defines.")

    def hand_in_the_scaffold(self) -> Self:
        return self.use("build_harness", "submit", path="harness")

    def hand_in(self, purpose: str, folder: str, tree: FileTree) -> Self:
        """Write the files and submit the folder, whatever was in it before."""
        self.use(purpose, "bash", command=f"rm -rf {folder}/*")
        for path, content in tree.files.items():
            self.use(purpose, "write_file", path=f"{folder}/{path}", content=content.decode())
        return self.use(purpose, "submit", path=folder)

    def attempt(self, reproduce: str) -> Self:
        self.use("attempt", "write_file", path="submission/reproduce.sh", content=reproduce)
        return self.use("attempt", "submit", path="submission")


class House:
    """A directory with a ledger, keys and scripts, and the command at work in it."""

    def __init__(self, root: Path, verdicts: Path) -> None:
        """`verdicts`: what the gate said of harnesses before, see remembered.py."""
        self.root, self.db, self._verdicts = root, root / "runs.db", verdicts
        self.gate_remembers = True
        (root / "tmp").mkdir(parents=True)
        self.environment = {
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(root / "tmp"),
            "EVALWRIGHT_HOME": str(root / "home"),
            "EVALWRIGHT_DB": str(self.db),
            "COLUMNS": "200",
        }

    def call(self, *arguments: str, **environment: str) -> Said:
        """The command, run to its end in this process: importing it anew costs more than most of what it does."""
        out, err, on_termination = StringIO(), StringIO(), signal.getsignal(signal.SIGTERM)
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", ["evalwright", *arguments])
            patch.setattr(tempfile, "tempdir", str(self.root / "tmp"))
            patch.chdir(self.root)
            patch.delenv("EVALWRIGHT_DB", raising=False)
            for name, value in {**self.environment, **environment}.items():
                patch.setenv(name, value)
            if self.gate_remembers:
                patch.setattr(Gate, "qualify", remembered().remembering(Gate.qualify, self._verdicts))
            try:
                main()
            except SystemExit as ending:
                code = int(ending.code or 0)
            finally:
                signal.signal(signal.SIGTERM, on_termination)
        return Said(code, out.getvalue(), err.getvalue())

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """The command in a process of its own, under way."""
        program = [str(REMEMBERED)] if self.gate_remembers else ["-m", "agent.cli"]
        return subprocess.Popen(
            [sys.executable, *program, *arguments],
            cwd=self.root,
            env={**os.environ, "EVALWRIGHT_TEST_VERDICTS": str(self._verdicts), **self.environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, process: subprocess.Popen[str]) -> Said:
        """Wait for it."""
        try:
            out, err = process.communicate(timeout=500)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return Said(process.returncode, out, err)

    def model(self, script: Script, name: str = "script") -> str:
        """The name of the model that gives these answers."""
        path = self.root / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in script.lines))
        return f"scripted:{path}"

    def run(self, task: str | Path, script: Script, *options: str, name: str = "script") -> Said:
        return self.call("run", str(task), "--model", self.model(script, name), *options)

    def newest(self) -> RunSummary:
        with Ledger.open(self.db, create=False) as ledger:
            return ledger.run("last")

    def events(self, *kinds: str, run: str = "last") -> list[dict[str, Any]]:
        """The payloads of a run's events of these kinds, oldest first."""
        with Ledger.open(self.db, create=False) as ledger:
            return [event.data for event in ledger.events(ledger.run(run).id, kinds=kinds)]

    def wait_for(self, kind: str, text: str = "", seconds: float = 120.0) -> None:
        """Until an event of this kind with this text in its payload is on the disk."""
        deadline = time.monotonic() + seconds
        while not self._has(kind, text):
            assert time.monotonic() < deadline, f"no {kind} with {text!r} within {seconds} s"
            time.sleep(0.1)

    def _has(self, kind: str, text: str) -> bool:
        try:
            with sqlite3.connect(f"file:{self.db}?mode=ro", uri=True) as connection:
                query = "SELECT count(*) FROM event WHERE kind = ? AND instr(payload, ?)"
                return bool(connection.execute(query, (kind, text)).fetchone()[0])
        except sqlite3.OperationalError:
            return False  # not made yet

    def processes(self) -> list[str]:
        """Processes that were started from here and still live."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("EVALWRIGHT_HOME") == self.environment["EVALWRIGHT_HOME"]:
                    found.append(" ".join(process.cmdline()))
            except psutil.Error:
                continue
        return found

    def containers(self, client: docker.DockerClient) -> list[str]:
        """Containers of any run in this ledger, running or not."""
        with Ledger.open(self.db, create=False) as ledger:
            runs = [run.id for run in ledger.runs()]
        return [
            box.name
            for run in runs
            for box in client.containers.list(all=True, ignore_removed=True, filters={"label": f"evalwright.run={run}"})
        ]


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the gate's verdicts are remembered."""
    return tmp_path_factory.mktemp("verdicts")


@pytest.fixture
def house(tmp_path: Path, verdicts: Path) -> House:
    return House(tmp_path / "house", verdicts)


@pytest.fixture(scope="session")
def new_house(tmp_path_factory: pytest.TempPathFactory, verdicts: Path) -> Callable[[], House]:
    """Houses for fixtures that several tests share."""
    return lambda: House(tmp_path_factory.mktemp("shared") / "house", verdicts)


@pytest.fixture(scope="session")
def new_script() -> Callable[[], Script]:
    return Script


@pytest.fixture(scope="session")
def right() -> str:
    return RIGHT


@pytest.fixture(scope="session")
def wrong() -> str:
    return WRONG


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Task:
    """pass_at_k without oracle and reference, its test split a file: the least a task may be, and quick."""
    tree = load_task("pass_at_k").tree.without("solution").without("tests")
    cases = [
        {"id": f"test-{c}", "input": {"n": 31, "c": c, "k": 3}, "expected": 1 - math.comb(31 - c, 3) / math.comb(31, 3)}
        for c in range(1, 31, 3)
    ]
    config = tree.text("task.toml").replace('{ generator = "splits/generate.py" }', '"splits/test.jsonl"')
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    directory = tmp_path_factory.mktemp("tasks") / "tiny"
    tree.merged(FileTree({"task.toml": config.encode(), "splits/test.jsonl": lines.encode()})).write_to(directory)
    return load_task(directory)


@pytest.fixture(scope="session")
def solved(new_house: Callable[[], House], tiny: Task, image: str) -> Iterator[House]:
    """A house whose newest run solved the tiny task and was audited."""
    house = new_house()
    script = Script().study().hand_in_the_scaffold().attempt(RIGHT)
    done = house.run(tiny.where, script)
    assert done.code == 0, done.err
    audited = house.call("audit", "last", "--why", "test", "--who", "a reviewer")
    assert audited.code == 0, audited.err + audited.out
    yield house

"""Registering draws a test split nobody has seen, seals it, and keeps nothing that would tell it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Self

import pytest

import evals.registration
from evals.ledger import Ledger, Seal
from evals.registration import draw_test, register
from evals.splits import Keyring, open_seal
from evals.task import Task, parse_task
from tools.docker import DockerSandboxes
from tools.errors import AuthorError, SandboxLimit
from tools.files import FileTree
from tools.sandbox import BoxLost, BoxSpec

Failure = Callable[[str], str]


@dataclass(frozen=True)
class Registered:
    """The doubling task, registered twice in one ledger."""

    ledger: Ledger
    keyring: Keyring
    seals: tuple[Seal, Seal]


@pytest.fixture(scope="module")
def registered(
    doubling: Task, sandboxes: DockerSandboxes, image: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Registered]:
    home: Path = tmp_path_factory.mktemp("home")
    keyring = Keyring(home / "keys")
    with Ledger.open(home / "runs.db") as ledger:
        first, second = (register(doubling, ledger, keyring, sandboxes, image) for _ in range(2))
        yield Registered(ledger, keyring, (first, second))


@pytest.fixture
def failure(task_tree: FileTree, sandboxes: DockerSandboxes, image: str, tmp_path: Path) -> Failure:
    """The one line with which registration refuses a generator; nothing was sealed."""

    def register_with(generator: str) -> str:
        task = parse_task(task_tree.merged(FileTree({"splits/generate.py": generator.encode()})), "mine")
        with Ledger.open(tmp_path / "runs.db") as ledger:
            with pytest.raises(AuthorError) as caught:
                register(task, ledger, Keyring(tmp_path / "keys"), sandboxes, image)
            assert ledger.seal_for(task.digest) is None
        assert not (tmp_path / "keys").exists()
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return register_with


def test_the_sealed_split_is_what_the_generator_printed(registered: Registered) -> None:
    split = open_seal(registered.seals[0], registered.keyring)
    assert [case.id for case in split.cases] == ["test-0", "test-1", "test-2", "test-3"]
    assert all(case.expected == 2 * case.input["x"] for case in split.cases)
    assert (registered.seals[0].split, registered.seals[0].cases) == ("test", 4)


def test_every_registration_draws_a_fresh_seed(registered: Registered) -> None:
    first, second = registered.seals
    assert first.commitment != second.commitment
    drawn = [open_seal(seal, registered.keyring) for seal in registered.seals]
    inputs = [{case.input["x"] for case in split.cases} for split in drawn]
    assert inputs[0].isdisjoint(inputs[1])


def test_the_ledger_keeps_the_seal_under_the_tasks_digest(registered: Registered, doubling: Task) -> None:
    assert registered.ledger.seal_for(doubling.digest) == registered.seals[1]
    assert registered.ledger.seal(registered.seals[0].id) == registered.seals[0]


def test_neither_the_seal_nor_any_byte_of_the_database_tells_a_case(registered: Registered) -> None:
    split = open_seal(registered.seals[0], registered.keyring)
    secrets = [str(number).encode() for case in split.cases for number in (case.input["x"], case.expected)]
    written = b"".join(path.read_bytes() for path in registered.ledger.path.parent.glob("runs.db*"))
    assert registered.seals[0].commitment.encode() in written, "this is where the seal is kept"
    for data in (registered.seals[0].ciphertext, written):
        assert [secret for secret in (*secrets, b'"expected"', b"test-0") if secret in data] == []


def test_a_generator_that_raises_is_named_with_its_last_line(failure: Failure) -> None:
    assert failure("print(1)\nraise ValueError('no seeds today')\n") == (
        "mine/splits/generate.py: the generator ended with status 1: ValueError: no seeds today. Run it by hand"
    )


def test_a_generator_that_says_nothing_and_fails_is_named(failure: Failure) -> None:
    assert "the generator ended with status 3: it printed nothing" in failure("raise SystemExit(3)\n")


@pytest.mark.parametrize(
    ("generator", "message"),
    [
        ("", "mine/splits/generate.py test: there are no cases. Write one"),
        ("print('half a case')", "mine/splits/generate.py test, line 1: not JSON: "),
        ('print(\'{"id": "t", "input": 1, "expected": NaN}\')', "test, line 1: NaN is not a JSON number"),
    ],
)
def test_a_generator_that_prints_no_cases_is_named_by_line(failure: Failure, generator: str, message: str) -> None:
    assert message in failure(generator)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (
            {"id": "t", "input": {"x": 702}, "expected": 1404},
            "validation and test: both have the input of validation-1",
        ),
        ({"id": "public-0", "input": {"x": 9}, "expected": 18}, "public and test: both have the id public-0"),
    ],
)
def test_a_generator_that_repeats_a_known_case_is_refused(
    failure: Failure, case: dict[str, object], message: str
) -> None:
    assert failure(f"print({json.dumps(case)!r})").startswith(message)


def test_a_generator_that_spells_a_known_case_otherwise_is_refused(failure: Failure) -> None:
    generator = 'print(\'{"id": "test-0", "input": {"x": 701.0000001}, "expected": 1402}\')'
    assert (
        "1 test cases are known from another split: test test-0 and validation validation-0 "
        "(the same input, spelled otherwise)"
    ) in failure(generator)


def test_a_generator_that_hangs_is_stopped(failure: Failure, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evals.registration, "GENERATOR_SEC", 0.5)
    assert failure("import time\ntime.sleep(60)\n") == (
        "mine/splits/generate.py: the generator ran longer than 0.5 s. Make it faster"
    )


LINE = {"id": "t-0", "input": {"x": 9}, "expected": 18}


@pytest.mark.parametrize("path", ["public/notes.txt", "environment/seed.json", "paper.md"])
def test_a_case_that_a_seen_file_holds_already_is_not_sealed(
    task_tree: FileTree, sandboxes: DockerSandboxes, image: str, tmp_path: Path, path: str
) -> None:
    more = {
        path: b"for example " + json.dumps(LINE).encode(),
        "splits/generate.py": f"print({json.dumps(LINE)!r})".encode(),
    }
    task = parse_task(task_tree.merged(FileTree(more)), "mine")
    with Ledger.open(tmp_path / "runs.db") as ledger:
        with pytest.raises(AuthorError) as caught:
            register(task, ledger, Keyring(tmp_path / "keys"), sandboxes, image)
        assert ledger.seal_for(task.digest) is None
    assert str(caught.value).startswith(f"mine: {path} holds 1 case of the test split. ")


def test_a_generator_that_prints_more_than_is_read_is_refused_and_not_cut(
    failure: Failure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evals.registration, "GENERATOR_BYTES", 1_000)
    assert failure(f"for i in range(100): print({json.dumps(LINE)!r})") == (
        "mine/splits/generate.py: the generator printed 4900 bytes, more than 1000. Print fewer or smaller cases"
    )


class Doomed:
    """Boxes that are lost, or refuse, as soon as something runs in them."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def open(self, spec: BoxSpec) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def put(self, tree: FileTree, dest: str) -> None:
        pass

    def run(self, argv: list[str], **_: Any) -> NoReturn:
        raise self._error


@pytest.mark.parametrize(
    ("error", "raised", "message"),
    [
        (
            BoxLost("exited", "its server ended", where="box"),
            AuthorError,
            "brought down its container: its server ended",
        ),
        (
            BoxLost("memory", "it ran out of memory", where="box"),
            AuthorError,
            "generate.py: the generator brought down",
        ),
        (SandboxLimit("no space left", where="put"), AuthorError, "environment.storage_mb"),
        (BoxLost("engine", "the engine is gone", where="box"), BoxLost, "the engine is gone"),
    ],
)
def test_a_container_lost_to_the_generator_is_the_authors_to_mend_and_one_lost_to_the_engine_is_not(
    doubling: Task, error: Exception, raised: type[Exception], message: str
) -> None:
    with pytest.raises(raised, match=message):
        draw_test(doubling, 1, Doomed(error), "image")


def test_a_generator_has_the_task_and_no_network(failure: Failure) -> None:
    generator = (
        "import os, sys\n"
        "sys.exit(f\"{sorted(os.listdir('/sys/class/net'))} {sorted(os.listdir('public'))} {sys.argv[1]}\")\n"
    )
    assert "ended with status 1: ['lo'] ['cases.jsonl'] test. " in failure(generator)


def test_a_test_split_in_a_file_is_sealed_as_it_is(
    task_tree: FileTree, sandboxes: DockerSandboxes, image: str, tmp_path: Path
) -> None:
    toml = task_tree.text("task.toml").replace('{ generator = "splits/generate.py" }', '"splits/test.jsonl"')
    line = b'{"id": "t-0", "input": {"x": 900}, "expected": 1800}\n'
    task = parse_task(task_tree.merged(FileTree({"task.toml": toml.encode(), "splits/test.jsonl": line})), "mine")
    keyring = Keyring(tmp_path / "keys")
    with Ledger.open(tmp_path / "runs.db") as ledger:
        (case,) = open_seal(register(task, ledger, keyring, sandboxes, image), keyring).cases
    assert (case.id, case.input, case.expected) == ("t-0", {"x": 900}, 1800)

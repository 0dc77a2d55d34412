"""The command line: what is promised to whoever types, scripts, or mistypes it.

stdout carries results, stderr one clear line for what went wrong; exit codes are 0, 1, 2, 3.
"""

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import typer.main

from agent.cli import app
from agent.models import lite
from agent.report import LISTED
from evals.harness import parse_harness
from evals.ledger import Ledger
from evals.task import load_task
from tools.files import FileTree


def commands() -> dict[str, Any]:
    """Every command by what is typed for it: "task check" and so on."""
    found: dict[str, Any] = {}

    def walk(group: Any, prefix: str) -> None:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                walk(command, f"{prefix}{name} ")
            else:
                found[f"{prefix}{name}"] = command

    walk(typer.main.get_command(app), "")
    return found


def test_every_command_has_a_help_text_for_itself_and_for_every_option() -> None:
    assert set(commands()) == {
        "run", "resume", "list", "show", "export", "audit", "verify", "serve", "setup", "tools", "doctor",
        "task check", "task seal", "harness qualify", "harness scaffold", "harness zoo",
    }  # fmt: skip
    for name, command in commands().items():
        assert command.help, name
        undescribed = [parameter.name for parameter in command.params if not getattr(parameter, "help", None)]
        assert undescribed == [], name


def test_every_command_can_answer_in_json() -> None:
    options = {
        name: {option for each in command.params for option in each.opts} for name, command in commands().items()
    }
    assert [name for name, known in options.items() if "--json" not in known] == []


@pytest.fixture(scope="module")
def pages(new_house: Callable[[], Any]) -> dict[str, Any]:
    """What `--help` prints, of the program and of each command."""
    house = new_house()
    return {name: house.call(*name.split(), "--help") for name in ("", *commands())}


def test_help_has_a_page_for_every_command_and_lists_them(pages: dict[str, Any]) -> None:
    for name, page in pages.items():
        assert (page.code, page.err) == (0, ""), name
        assert f"evalwright {name}".strip() in " ".join(page.out.split()) and "Usage: " in page.out, name
    assert [name for name in commands() if name.split()[0] not in pages[""].out] == []


# Bad input. Each line: what is typed, the exit code, and what the one line on stderr must say.

NO_RUN = "there is no run 'nosuch'"
BAD = {
    "unknown task": (
        "run nosuch {model}",
        2,
        "there is no task 'nosuch'. Give a directory, or one of the bundled: adam,",
    ),
    "task directory without task.toml": ("task check {root}", 2, "task.toml: there is no such file."),
    "missing script": ("run pass_at_k --model scripted:{root}/no.jsonl", 2, "no.jsonl: the script cannot be read"),
    "malformed script line": ("run pass_at_k --model scripted:{root}/bad.jsonl", 2, "bad.jsonl:2: not an answer"),
    "nonsense budget": (
        "run pass_at_k {model} --budget soon",
        2,
        "--budget: 'soon' is not a duration. Write 90s, 10m or 12h",
    ),
    "nonsense search": (
        "run pass_at_k {model} --search wide",
        2,
        "--search: 'wide' is not a way to search. Use depth or tree",
    ),
    "tokens that are no number": ("run pass_at_k {model} --tokens many", 2, "Invalid value for '--tokens'"),
    "width of zero": ("run pass_at_k {model} --width 0", 2, "Invalid value for '--width'"),
    "seed that is no number": ("run pass_at_k {model} --seed x", 2, "Invalid value for '--seed'"),
    "unknown option": ("list --nosuch", 2, "--nosuch"),
    "unknown command": ("nosuch", 2, "No such command 'nosuch'"),
    "missing argument": ("run", 2, "Missing argument 'task'"),
    "unknown run": ("show nosuch --db {empty}", 2, NO_RUN),
    "unknown run to resume": ("resume nosuch --db {empty}", 2, NO_RUN),
    "unknown run to audit": ("audit nosuch --db {empty}", 2, NO_RUN),
    "unknown run to verify": ("verify nosuch --db {empty}", 2, NO_RUN),
    "no run yet": ("show last --db {empty}", 2, "there is no run 'last'"),
    "no database": ("list --db {root}/none.db", 2, "none.db: there is no such database. Start a run first"),
    "ledger in a missing directory": (
        "run pass_at_k {model} --db {root}/no/runs.db",
        2,
        "does not exist. Create it first",
    ),
    "database of a newer version": ("list --db {newer}", 2, "the ledger has schema version 999"),
    "not a database": ("list --db {text}", 2, "this is not an SQLite database"),
    "another program's database": ("list --db {other}", 2, "this is another program's SQLite database"),
    "locked database": ("task seal pass_at_k --db {locked}", 3, "the database is locked by another process"),
    "task without a name": ("task check |", 2, "there is no task ''. Give a directory"),
    "task with an endless name": ("task check {long}", 2, "there is no task 'xxx"),
    "task with a name of control characters": ("task check \x1b[2J\udcff", 2, r"there is no task '\x1b[2J\udcff'"),
    "budget without end": ("run pass_at_k {model} --budget {digits}", 2, "is more than a year. Write 0 for no limit"),
    "cost that is no number": ("run pass_at_k {model} --cost nan", 2, "Invalid value for '--cost'"),
    "cost without end": ("run pass_at_k {model} --cost inf", 2, "Invalid value for '--cost'"),
    "tokens without end": ("run pass_at_k {model} --tokens {digits}", 2, "Invalid value for '--tokens'"),
    "harness with an endless name": ("harness qualify {long} --task welch", 2, "File name too long"),
    "harness with a link": (
        "harness qualify {linked} --task welch",
        2,
        "linked/notes.txt: a link. Put the file itself",
    ),
    "missing harness directory": ("harness qualify {root}/no --task welch", 2, "no: there is no such directory"),
    "scaffold where something is": ("harness scaffold welch {root}", 2, "it is not empty. Name a new directory"),
    "scaffold where nothing can be": ("harness scaffold welch /proc/no", 2, "cannot be written"),
    "no witness among sound specimens": ("harness zoo --only /sound/ --witnesses", 2, "no flawed specimen is called"),
    "harness for no task": ("harness qualify {root} --task nosuch", 2, "there is no task 'nosuch'"),
}


@pytest.fixture(scope="module")
def answers(new_house: Callable[[], Any], image: str) -> Iterator[dict[str, Any]]:
    """What the command says to each of them."""
    house = new_house()
    names = ("empty", "newer", "text", "other", "locked")
    places = {"root": house.root, **{name: house.root / f"{name}.db" for name in names}}
    # Never the default model: what should be refused and is not must not start an engine.
    places |= {"long": "x" * 5_000, "digits": "9" * 400}
    places["model"] = f"--model scripted:{house.root}/bad.jsonl"
    places["linked"] = house.root.parent / "linked"
    places["linked"].mkdir()
    (places["linked"] / "notes.txt").symlink_to("/etc/hostname")
    (house.root / "bad.jsonl").write_text('{"purpose": "study"}\n{"purpose": }\n')
    for name in ("empty", "newer", "locked"):
        Ledger.open(places[name]).close()
    places["text"].write_text("This is a text and no database, however long it may be. " * 20)
    with sqlite3.connect(places["newer"]) as connection:
        connection.execute("PRAGMA user_version = 999")
    with sqlite3.connect(places["other"]) as connection:
        connection.execute("CREATE TABLE tracks (name TEXT)")
    locked = sqlite3.connect(places["locked"], isolation_level=None)
    locked.execute("BEGIN IMMEDIATE")

    # "|" stands for an empty argument.
    words = {
        name: [word.strip("|") for word in typed.format(**places).split(" ")] for name, (typed, _, _) in BAD.items()
    }
    yield {name: house.call(*each) for name, each in words.items()}
    locked.close()


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_answered_by_one_clear_line_and_its_exit_code(answers: dict[str, Any], name: str) -> None:
    _, code, said = BAD[name]
    answer = answers[name]
    assert answer.code == code, answer.err
    assert "Traceback" not in answer.err + answer.out
    assert said in answer.err
    assert len(answer.err.strip().splitlines()) == 1
    assert answer.err.startswith("evalwright: ")
    assert answer.err.strip().isprintable()


def test_a_provider_that_is_not_there_is_refused_in_one_line_before_anything_is_made(house: Any, tiny: Any) -> None:
    done = house.call("run", tiny.where, "--model", "nosuch/model")
    assert done.code == 2, done.err
    (line,) = done.err.splitlines()
    assert line == (
        "evalwright: nosuch/model: no provider of models is known by this name. "
        'Use a LiteLLM name such as "openai/NAME", or "local"'
    )
    assert not house.db.exists(), "no run, no seal"


@pytest.mark.parametrize("status", [401, 404], ids=["wrong key", "unknown model"])
def test_a_provider_that_refuses_us_is_one_clear_line(house: Any, tiny: Any, status: int) -> None:
    server = toy_server(0, [])
    server.status = status
    done = house.call("run", tiny.where, "--model", "openai/nosuch", **environment_of(server))
    stop(server)
    assert done.code == 2, done.err
    complaint, hint = done.err.strip().splitlines()[-2:]
    assert complaint.startswith("evalwright: openai/nosuch: the model refuses us: ")
    assert complaint.endswith("Check its name and API key")
    assert done.err.count("the model refuses us") == 1, "said once"
    assert hint.endswith(f"evalwright resume {house.newest().id}")
    assert "Traceback" not in done.err


def test_a_key_that_nobody_gave_is_one_clear_line_and_not_waited_for(
    house: Any, tiny: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = house.call("run", tiny.where, "--model", "openai/gpt-4o")
    assert done.code == 2, done.err
    complaint, hint = done.err.strip().splitlines()[-2:]
    assert complaint.startswith("evalwright: openai/gpt-4o: no API key is given: ")
    assert complaint.endswith("Set OPENAI_API_KEY in the environment")
    assert hint.startswith("next: ")


def test_more_processors_than_the_engine_has_are_named_by_their_key(house: Any, tiny: Any, tmp_path: Path) -> None:
    config = tiny.tree.text("task.toml").replace("cpus = 1", "cpus = 1000")
    tiny.tree.merged(FileTree({"task.toml": config.encode()})).write_to(tmp_path / "large")
    done = house.call("task", "seal", str(tmp_path / "large"))
    assert done.code == 2, done.err
    assert "task.toml: environment.cpus is 1000, and the Docker engine has " in done.err.strip().splitlines()[-1]


def test_without_docker_a_run_stops_with_exit_code_3_and_says_what_to_do(house: Any, tiny: Any) -> None:
    done = house.call("run", tiny.where, "--model", "scripted:none", "--json", DOCKER_HOST="unix:///nonexistent")
    assert done.code == 3
    assert len(done.err.strip().splitlines()) == 1
    assert "the Docker engine does not answer" in done.err and "Start Docker" in done.err
    assert done.json == {"error": done.err.strip().removeprefix("evalwright: ")}


def test_without_docker_the_doctor_says_so_and_fails(house: Any) -> None:
    done = house.call("doctor", "--json", DOCKER_HOST="unix:///nonexistent")
    assert done.code == 3
    missing = {each["name"]: each["detail"] for each in done.json["findings"] if not each["ok"] and each["needed"]}
    assert set(missing) == {"docker engine", "sandbox image"}
    assert "Start Docker" in missing["docker engine"]


def test_the_doctor_is_content_here(solved: Any) -> None:
    done = solved.call("doctor", "--json")
    needed = {each["name"]: each["ok"] for each in done.json["findings"] if each["needed"] and each["name"] != "disk"}
    assert needed == {"python": True, "docker engine": True, "sandbox image": True, "tools": True}


# Results.


def test_list_has_exactly_the_promised_keys(solved: Any) -> None:
    listed = solved.call("list", "--json")
    assert (listed.code, listed.err) == (0, "")
    assert set(listed.json) == {"runs"}
    run = listed.json["runs"][-1]
    assert (
        list(run) == ["id", "task", "model", "state", "best_validation", "sealed", "gap", "started_at"] == list(LISTED)
    )
    assert (run["task"], run["state"], run["best_validation"], run["sealed"], run["gap"]) == (
        "pass_at_k", "finished", 1.0, 1.0, 0.0,
    )  # fmt: skip


def test_the_ledger_is_found_by_option_before_environment_and_before_the_working_directory(
    solved: Any, house: Any
) -> None:
    Ledger.open(house.db).close()
    by_environment = house.call("list", "--json", EVALWRIGHT_DB=str(solved.db))
    by_option = house.call("list", "--json", "--db", str(house.db), EVALWRIGHT_DB=str(solved.db))
    del house.environment["EVALWRIGHT_DB"]
    by_place = house.call("list", "--json")
    assert len(by_environment.json["runs"]) >= 1
    assert by_option.json == by_place.json == {"runs": []}


def test_what_a_person_reads_names_the_run_and_what_to_type_next(solved: Any) -> None:
    run = solved.newest().id
    for command in (["list"], ["show", "last"], ["verify", "last"]):
        shown = solved.end(solved.start(*command))
        assert (shown.code, shown.err) == (0, "")
        assert run in shown.out


def test_show_tells_harnesses_submissions_and_tokens(solved: Any) -> None:
    facts = solved.call("show", solved.newest().id[:-2], "--json").json
    assert [each["verdict"] for each in facts["harnesses"]] == ["qualified"]
    assert {each["split"]: each["value"] for each in facts["submissions"]} == {"public": 1.0, "validation": 1.0}
    assert facts["tokens"]["replies"] == 4


def test_verify_is_0_on_an_intact_ledger_and_1_on_a_changed_one(solved: Any, tmp_path: Path) -> None:
    intact = solved.call("verify", "last", "--json")
    run = solved.newest().id
    assert (intact.code, intact.json["intact"], intact.json["findings"]) == (0, True, [])
    assert [(head["run_id"], head["events"]) for head in intact.json["heads"]] == [(run, solved.newest().events)]
    copy = tmp_path / "runs.db"
    with sqlite3.connect(solved.db) as source, sqlite3.connect(copy) as target:
        source.backup(target)
        for (name,) in target.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            target.execute(f"DROP TRIGGER {name}")
        (number,) = target.execute(
            "SELECT seq FROM event WHERE run_id = ? AND kind = 'submission.promoted'", (run,)
        ).fetchone()
        target.execute(
            "UPDATE event SET payload = replace(payload, '1.0', '0.9') WHERE run_id = ? AND seq = ?", (run, number)
        )
    broken = solved.call("verify", "--json", "--db", str(copy))
    assert broken.code == 1
    assert [(each["run_id"], each["seq"]) for each in broken.json["findings"]] == [(run, number)]
    spoken = solved.call("verify", "--db", str(copy))
    assert spoken.out.splitlines() == [f"{run} event {number}: {broken.json['findings'][0]['problem']}", "broken"]


def test_an_audit_of_a_run_that_promoted_nothing_is_refused(house: Any, script: Any, tiny: Any) -> None:
    failed = house.run(tiny.where, script.study(), "--steps", "1")
    assert failed.code == 1
    told = failed.out.splitlines()
    assert "nothing was promoted: no harness came as far as the gate" in told
    assert any(line.startswith("try a longer --budget") for line in told)
    hint = next(line for line in told if line.startswith("next: "))
    assert f"evalwright show {house.newest().id} --transcript" in hint
    refused = house.call("audit", "last")
    assert refused.code == 1, "the answer is no: no submission stands"
    assert "nothing was promoted, so there is nothing to audit" in refused.err


def test_an_audit_without_the_key_says_where_it_should_be(solved: Any, tmp_path: Path) -> None:
    refused = solved.call("audit", "last", EVALWRIGHT_HOME=str(tmp_path / "elsewhere"))
    assert refused.code == 3
    assert f"{tmp_path}/elsewhere/keys/key-" in refused.err.splitlines()[-1]
    assert "the key cannot be read" in refused.err


def test_a_sealed_task_is_used_by_the_next_run(house: Any, script: Any, tiny: Any) -> None:
    sealed = house.call("task", "seal", tiny.where, "--json")
    assert (sealed.code, sealed.json["cases"]) == (0, 10)
    assert os.stat(sealed.json["key"]).st_mode & 0o777 == 0o600
    house.run(tiny.where, script.study(), "--steps", "1")
    assert house.events("seal.committed")[0]["commitment"] == sealed.json["commitment"]


def test_a_task_is_described(house: Any) -> None:
    checked = house.call("task", "check", "welch", "--json")
    assert checked.code == 0
    assert (checked.json["task"], checked.json["requirements"]) == ("evalwright/welch", ["R1", "R2", "R3"])
    assert (checked.json["public"], checked.json["validation"], checked.json["test"]) == (10, 30, "generator")


def test_a_harness_is_qualified_from_its_directory(house: Any, tmp_path: Path) -> None:
    task = load_task("pass_at_k")
    assert task.reference is not None
    task.reference.grading_tree.write_to(tmp_path / "harness")
    qualified = house.call("harness", "qualify", str(tmp_path / "harness"), "--task", "pass_at_k", "--json")
    assert (qualified.code, qualified.json["verdict"]) == (0, "qualified"), qualified.out
    (tmp_path / "harness/metrics.py").unlink()
    rejected = house.call("harness", "qualify", str(tmp_path / "harness"), "--task", "pass_at_k")
    assert rejected.code == 1
    assert "metrics.py is missing" in rejected.out


def test_the_scaffold_names_a_check_for_each_requirement(house: Any, tmp_path: Path) -> None:
    made = house.call("harness", "scaffold", "welch", str(tmp_path / "new"), "--json")
    assert made.code == 0
    assert [Path(path).name for path in made.json["files"]] == [
        "harness.toml", "metrics.py", "rules.json", "test_requirements.py",
    ]  # fmt: skip
    written = FileTree.from_directory(tmp_path / "new")
    assert parse_harness(written).requirements == {name: (f"test_{name}",) for name in ("R1", "R2", "R3")}


# An engine that goes away.


class Toy(BaseHTTPRequestHandler):
    """Speaks as much of the OpenAI chat API as a run needs: the answers come from the server's list, in order."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.status != 200:
            self.send_error(self.server.status)
            return
        calls = self.server.answers.pop(0)
        message = {"role": "assistant", "content": "" if calls else "As the paper says.", "tool_calls": calls or None}
        body = {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "toy",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12,
                      "prompt_tokens_details": {"cached_tokens": 4}},
        }  # fmt: skip
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        if not self.server.answers:
            self.server.used_up.set()

    def log_message(self, *_: object) -> None:
        pass


def toy_server(port: int, *answers: list[tuple[str, dict[str, Any]]]) -> ThreadingHTTPServer:
    """Each answer is a list of tool calls; an empty one is text."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Toy)
    server.status, server.used_up = 200, threading.Event()
    server.answers = [
        [
            {
                "id": f"call-{turn}-{index}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(given)},
            }
            for index, (name, given) in enumerate(calls)
        ]
        for turn, calls in enumerate(answers)
    ]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def environment_of(server: ThreadingHTTPServer) -> dict[str, str]:
    """What makes LiteLLM ask this server."""
    address = f"http://127.0.0.1:{server.server_port}/v1"
    return {"OPENAI_API_KEY": "toy", "OPENAI_API_BASE": address, "OPENAI_BASE_URL": address}


def stop(server: ThreadingHTTPServer) -> None:
    server.shutdown()
    server.server_close()


def test_an_engine_that_dies_pauses_the_run_which_goes_on_when_it_is_back(
    house: Any, tiny: Any, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lite, "WAITS_SEC", (0.1, 0.2))
    server = toy_server(0, [], [("bash", {"command": "echo one"})])
    engine = environment_of(server)
    death = threading.Thread(target=lambda: server.used_up.wait(120) and stop(server))
    death.start()
    paused = house.call("run", tiny.where, "--model", "openai/toy", "--json", **engine)
    death.join()
    assert paused.code == 3, paused.err
    complaint, hint = paused.err.strip().splitlines()[-2:]
    assert complaint.startswith("evalwright: openai/toy: the model does not answer: ")
    assert complaint.endswith("Resume the run once it does")
    assert hint.endswith(f"evalwright resume {house.newest().id}")
    assert paused.json["next"] == hint.removeprefix("next: ")
    assert "Traceback" not in paused.err
    assert house.call("list", "--json").json["runs"][0]["state"] == "paused"

    written = ("write_file", {"path": "submission/reproduce.sh", "content": right})
    server = toy_server(
        server.server_port, [("submit", {"path": "harness"})], [written, ("submit", {"path": "submission"})]
    )
    done = house.call("resume", "last", "--json", **engine)
    stop(server)
    assert done.code == 0, done.err
    assert (done.json["state"], done.json["best_validation"]) == ("finished", 1.0)
    assert house.events("tool.result")[0]["text"] == "one"
    assert done.json["tokens"]["prompt"] == 4 * 10
    assert done.json["tokens"]["cached"] == 4 * 4

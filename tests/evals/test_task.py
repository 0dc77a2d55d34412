"""A task is loaded whole or refused in one line that names the file, the key or the case, and the remedy."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.task import bundled_tasks, describe, load_task, parse_task
from tools.errors import AuthorError
from tools.files import FileTree


def refusal(tree: FileTree) -> str:
    """The one line with which a task is refused."""
    with pytest.raises(AuthorError) as caught:
        parse_task(tree, "mine")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def changed(tree: FileTree, path: str, old: str, new: str) -> FileTree:
    assert old in tree.text(path)
    return tree.merged(FileTree({path: tree.text(path).replace(old, new, 1).encode()}))


def test_a_task_directory_is_loaded_as_it_is_written(task_tree: FileTree, tmp_path: Path) -> None:
    task_tree.write_to(tmp_path / "doubling")
    task = load_task(tmp_path / "doubling")
    assert describe(task) == {
        "task": "tests/doubling",
        "digest": task_tree.digest,
        "public": 4,
        "validation": 4,
        "test": "generator",
        "requirements": ["R1"],
        "oracle": True,
        "reference": True,
    }
    assert (task.slug, task.instruction, task.paper) == ("doubling", "Double the number.", "f(x) = 2x")
    assert (task.limits.memory_mb, task.limits.disk_mb, task.limits.cpus) == (256, 32, 1)


def test_the_agents_workspace_holds_the_texts_and_the_public_folder_only(task_tree: FileTree) -> None:
    workspace = parse_task(task_tree, "mine").workspace
    assert list(workspace) == ["instruction.md", "paper.md", "public/cases.jsonl"]


@pytest.mark.parametrize("name", ["welch", "pass_at_k", "adam", "kmeans_pp", "random_labels"])
def test_a_bundled_task_is_found_by_name(name: str) -> None:
    assert name in bundled_tasks()
    assert load_task(name).slug == name


def test_an_unknown_task_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(AuthorError, match=r"^there is no task 'welsh'\. Give a directory, or .*pass_at_k.*, welch$"):
        load_task("welsh")


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("task.toml", ("mine/task.toml: there is no such file", "docs/tasks.md")),
        ("instruction.md", ("mine: ", "'instruction.md'", "no such file", "Write it")),
        ("environment/Dockerfile", ("mine: ", "'environment/Dockerfile'", "no such file", "Write it")),
        ("paper.md", ("metadata.evalwright.paper names 'paper.md'", "no such file", "mend the key")),
        ("public/cases.jsonl", ("metadata.evalwright.splits.public names 'public/cases.jsonl'", "mend the key")),
        ("splits/validation.jsonl", ("splits.validation names 'splits/validation.jsonl'", "mend the key")),
        ("splits/generate.py", ("metadata.evalwright.splits.test names 'splits/generate.py'", "mend the key")),
    ],
)
def test_a_missing_file_is_named_with_its_key(task_tree: FileTree, path: str, parts: tuple[str, ...]) -> None:
    message = refusal(FileTree({name: data for name, data in task_tree.files.items() if name != path}))
    assert [part for part in parts if part not in message] == []


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ('schema_version = "1.4"', 'schema_version = "1.4', ("not valid TOML", "line 1", "Mend that line")),
        ('public = "public"', 'public = "public"\nscoring = "mine"', ("metadata.evalwright.scoring: ", "'mine'")),
        ('paper = "paper.md"\n', "", ("metadata.evalwright.paper: field required",)),
        ('paper = "paper.md"', "paper = 7", ("metadata.evalwright.paper: ", "string", "it is '7'")),
        ('public = "public"', 'public = "public"\nfeedback = "all"', ("evalwright.feedback: ", "it is 'all'")),
        ("memory_mb = 256", "memory_mb = 1", ("environment.memory_mb: ", "64", "it is '1'")),
        ("[task]", "[tusk]", ("task: field required",)),
        ('{ id = "R1", text = "the output is twice the input" }', "", ("metadata.evalwright.requirements: ", "1 item")),
        ("[metadata.evalwright.splits]", "[metadata.evalwright.budget]\ntoken = 1\n[metadata.evalwright.splits]",
         ("metadata.evalwright.budget.token: extra", "it is '1'")),
    ],
)  # fmt: skip
def test_a_wrong_key_in_task_toml_is_named_with_its_value(
    task_tree: FileTree, old: str, new: str, parts: tuple[str, ...]
) -> None:
    message = refusal(changed(task_tree, "task.toml", old, new))
    assert message.startswith("mine/task.toml: ")
    assert [part for part in parts if part not in message] == []
    assert re.search(r"\. (docs/tasks\.md lists every key|Mend that line)$", message)


def test_a_requirement_given_twice_is_refused(task_tree: FileTree) -> None:
    twice = '{ id = "R1", text = "a" }, { id = "R1", text = "the'
    message = refusal(changed(task_tree, "task.toml", '{ id = "R1", text = "the', twice))
    assert message == "mine/task.toml: requirement ids are given twice: ['R1', 'R1']. Make them unique"


@pytest.mark.parametrize("path", ["instruction.md", "paper.md"])
def test_a_text_that_is_not_utf8_is_named(task_tree: FileTree, path: str) -> None:
    message = refusal(task_tree.merged(FileTree({path: "Größe".encode("latin-1")})))
    assert message.startswith(f"mine: {path} is not UTF-8")
    assert message.endswith("Save it as UTF-8")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ('{"id": "validation-0", "input": 1, "expected": 2}', ("line 5: the id 'validation-0' is on line 1 too",)),
        ('{"id": "v", "input": 1, "expected": two}', ("line 5: not JSON", "column", "Write one JSON object a line")),
        ('{"id": "v", "input": 1, "expected": NaN}', ("line 5: NaN is not a JSON number", "Write what every")),
        ('{"id": "v", "input": 1, "expected": {"low": Infinity}}', ("line 5: Infinity is not a JSON number",)),
        ('{"id": "v", "input": 1}', ("line 5: the key 'expected' is missing", "Add it")),
    ],
)
def test_a_bad_case_is_named_by_file_and_line(task_tree: FileTree, line: str, parts: tuple[str, ...]) -> None:
    path = "splits/validation.jsonl"
    message = refusal(task_tree.merged(FileTree({path: task_tree.files[path] + line.encode() + b"\n"})))
    assert message.startswith(f"mine/{path}, ")
    assert [part for part in parts if part not in message] == []


def test_an_id_in_two_splits_is_refused(task_tree: FileTree) -> None:
    message = refusal(changed(task_tree, "splits/validation.jsonl", "validation-2", "public-3"))
    assert message == "public and validation: both have the id public-3. Use an id in one split only."


def test_an_input_in_two_splits_is_refused(task_tree: FileTree) -> None:
    message = refusal(changed(task_tree, "splits/validation.jsonl", '{"x": 702}', '{"x": 4}'))
    assert message.startswith("public and validation: both have the input of public-3 = validation-1. Draw fresh")


@pytest.mark.parametrize(
    ("key", "old"),
    [
        ("validation", 'validation = "splits/validation.jsonl"'),
        ("test", 'test = { generator = "splits/generate.py" }'),
    ],
)
def test_a_hidden_split_in_the_public_folder_is_refused(task_tree: FileTree, key: str, old: str) -> None:
    moved = FileTree({"public/more.jsonl": b'{"id": "m", "input": 9, "expected": 18}\n'})
    message = refusal(changed(task_tree.merged(moved), "task.toml", old, f'{key} = "public/more.jsonl"'))
    assert message == "mine: public/more.jsonl lies in the public folder 'public', which the agent reads. Move it out"


HIDDEN = (
    b'{"id": "h-0", "input": {"x": 9, "why": "a \\"b\\""}, "expected": [1.5, "\xc3\xbc"]}' + b"\n"
    b'{"id": "h-1", "input": 8, "expected": 7}' + b"\n"
)
SEEN = ("public/data/notes.txt", "environment/seed.jsonl", "instruction.md", "paper.md", "task.toml")
"""Files that the agent reads, or that its image may hold."""
DISGUISES: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda lines: lines,
    "among other text": lambda lines: b"See: " + lines.replace(b"\n", b" (of course)\r\n - "),
    "as one list": lambda lines: b"[" + b",".join(lines.splitlines()) + b"]",
    "indented": lambda lines: json.dumps([json.loads(line) for line in lines.splitlines()], indent=4).encode(),
    "with sorted keys": lambda lines: b"".join(
        json.dumps(json.loads(line), sort_keys=True).encode() for line in lines.splitlines()
    ),
    "as strings in JSON": lambda lines: json.dumps({"cells": [lines.decode()]}).encode(),
}


def with_file_splits(tree: FileTree, hidden: str) -> FileTree:
    """The task with a test split in a file; `hidden` ("validation" or "test") holds the cases of HIDDEN."""
    other = b'{"id": "o", "input": 1000, "expected": 2000}\n'
    files = {f"splits/{name}.jsonl": HIDDEN if name == hidden else other for name in ("validation", "test")}
    return changed(
        tree.merged(FileTree(files)), "task.toml", '{ generator = "splits/generate.py" }', '"splits/test.jsonl"'
    )


@pytest.mark.parametrize("hidden", ["validation", "test"])
@pytest.mark.parametrize("path", SEEN)
def test_hidden_cases_are_found_in_every_file_that_is_seen(task_tree: FileTree, hidden: str, path: str) -> None:
    tree = with_file_splits(task_tree, hidden)
    content = tree.files.get(path, b"").strip() + b"\n# "
    leaked = tree.merged(FileTree({path: content + HIDDEN.replace(b"\n", b"\n# ")}))
    assert refusal(leaked) == (
        f"mine: {path} holds 2 cases of the {hidden} split. The agent or its image sees that file: take them out"
    )
    assert parse_task(tree, "mine").validation.cases


@pytest.mark.parametrize("disguise", DISGUISES)
def test_hidden_cases_are_found_however_they_are_written(task_tree: FileTree, disguise: str) -> None:
    leaked = FileTree({"public/data.bin": DISGUISES[disguise](HIDDEN)})
    message = refusal(with_file_splits(task_tree, "validation").merged(leaked))
    assert message.startswith("mine: public/data.bin holds 2 cases of the validation split. ")


@pytest.mark.parametrize("split", ["validation", "test"])
def test_the_paper_is_no_hidden_split(task_tree: FileTree, split: str) -> None:
    tree = changed(with_file_splits(task_tree, split), "task.toml", '"paper.md"', f'"splits/{split}.jsonl"')
    assert refusal(tree).startswith(f"mine: splits/{split}.jsonl holds 2 cases of the {split} split")


def test_the_public_cases_may_stand_anywhere(task_tree: FileTree) -> None:
    public = task_tree.files["public/cases.jsonl"]
    assert parse_task(task_tree.merged(FileTree({"paper.md": public, "environment/cases.jsonl": public})), "mine")


@pytest.mark.parametrize("written", ["./public", "public/", "public//", "./public/./"])
def test_a_path_may_be_written_in_several_ways_and_means_the_same(task_tree: FileTree, written: str) -> None:
    task = parse_task(changed(task_tree, "task.toml", '= "public"', f'= "{written}"'), "mine")
    assert list(task.public_files) == ["cases.jsonl"]
    leaked = task.tree.merged(FileTree({"public/more": task.tree.files["splits/validation.jsonl"]}))
    assert "public/more holds 4 cases of the validation split" in refusal(leaked)


@pytest.mark.parametrize(
    ("public", "problem"),
    [
        ("nope", "mine: metadata.evalwright.public names 'nope', and that is no directory with files. "),
        ("paper.md", "mine: metadata.evalwright.public names 'paper.md', and that is a file, not a directory. "),
        ("", "metadata.evalwright.public: write a path inside the task's directory"),
        (".", "metadata.evalwright.public: write a path inside the task's directory"),
        ("../..", "metadata.evalwright.public: write a path inside the task's directory"),
        ("/etc", "metadata.evalwright.public: write a path inside the task's directory"),
        ("solution", "mine: metadata.evalwright.public is 'solution', and solution/ is never shown to the agent. "),
        ("tests/reference", "mine: metadata.evalwright.public is 'tests/reference', and tests/ is never shown"),
    ],
)
def test_public_names_a_directory_of_the_task_that_may_be_seen(task_tree: FileTree, public: str, problem: str) -> None:
    assert problem in refusal(changed(task_tree, "task.toml", '= "public"', f'= "{public}"'))


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("memory_mb = 256", "memory_mb = 1" + "0" * 30, "environment.memory_mb"),
        ("memory_mb = 256", "memory_mb = 0x1" + "0" * 9_000, "environment.memory_mb"),
        ("memory_mb = 256", "cpus = inf", "environment.cpus"),
        ("memory_mb = 256", "cpus = 1e-9", "environment.cpus"),
        ("memory_mb = 256", "cpus = 1" + "0" * 400, "environment.cpus"),
        ("storage_mb = 32", "storage_mb = 1" + "0" * 30, "environment.storage_mb"),
        ("[environment]", "[metadata.evalwright.submission]\ntimeout_sec = inf\n[environment]", "timeout_sec"),
        ("[environment]", "[metadata.evalwright.submission]\ntimeout_sec = 3000000\n[environment]", "timeout_sec"),
        ("[environment]", "[metadata.evalwright.budget]\nwall_clock_sec = inf\n[environment]", "wall_clock_sec"),
        ("[environment]", "[metadata.evalwright.budget]\nwall_clock_sec = nan\n[environment]", "wall_clock_sec"),
        ("[environment]", "[metadata.evalwright.budget]\ncost_usd = inf\n[environment]", "budget.cost_usd"),
        ("[environment]", "[metadata.evalwright.budget]\ntokens = 1" + "0" * 30 + "\n[environment]", "tokens"),
        ('"1.4"', '"99"', "schema_version"),
        ('"tests/doubling"', '"/"', "task.name"),
        ('"tests/doubling"', '"doubling"', "task.name"),
        ('"tests/doubling"', '"a/b\\nc\\u001b[31m"', "task.name"),
    ],
)  # fmt: skip
def test_a_value_that_nothing_can_use_is_refused_with_its_key(
    task_tree: FileTree, old: str, new: str, key: str
) -> None:
    message = refusal(changed(task_tree, "task.toml", old, new))
    assert message.startswith("mine/task.toml: ") and f"{key}: " in message
    assert message.isprintable() and len(message) < 300


@pytest.mark.parametrize("path", ["task.toml", "tests/reference/harness.toml"])
@pytest.mark.parametrize(
    "added", [b"x = " + b"9" * 5_000, b"x = " + b"[" * 3_000, b"a." * 30_000 + b"a = 1", b"x = '\xff'"]
)
def test_toml_that_is_none_is_one_clear_line(task_tree: FileTree, path: str, added: bytes) -> None:
    message = refusal(task_tree.merged(FileTree({path: added + b"\n" + task_tree.files[path]})))
    assert path.rsplit("/", 1)[-1] in message and message.isprintable() and len(message) < 300


@pytest.mark.parametrize("path", ["instruction.md", "paper.md"])
def test_a_text_without_text_is_refused(task_tree: FileTree, path: str) -> None:
    assert refusal(task_tree.merged(FileTree({path: b" \n"}))).startswith(f"mine: {path} is empty. ")


def test_an_oracle_without_reproduce_is_refused(task_tree: FileTree) -> None:
    path = "solution/submission/reproduce.sh"
    without = FileTree({name: data for name, data in task_tree.files.items() if name != path})
    assert refusal(without).startswith("mine: solution/submission has no reproduce.sh")


@pytest.mark.parametrize(
    ("name", "kind"), [("link", "a link"), ("public/link", "a link"), ("pipe", "neither a file nor a directory")]
)
def test_what_is_no_file_is_refused_and_not_left_out(task_tree: FileTree, tmp_path: Path, name: str, kind: str) -> None:
    task_tree.write_to(tmp_path)
    if kind == "a link":
        (tmp_path / name).symlink_to(tmp_path / "public")
    else:
        os.mkfifo(tmp_path / name)
    with pytest.raises(AuthorError, match=f"'{name}' is {kind}. Put the file itself there"):
        load_task(tmp_path)


def test_a_test_split_in_a_file_is_read_when_the_task_is_checked(task_tree: FileTree, tmp_path: Path) -> None:
    tree = with_file_splits(task_tree, "validation").merged(FileTree({"splits/test.jsonl": b"junk\n"}))
    tree.write_to(tmp_path)
    with pytest.raises(AuthorError, match=r"splits/test\.jsonl, line 1: not JSON"):
        load_task(tmp_path)


@pytest.mark.parametrize("name", ["", "x" * 5_000, "\0", "\udcff", "../tasks"])
def test_a_name_that_no_task_can_have_is_an_unknown_one(name: str) -> None:
    with pytest.raises(AuthorError, match="there is no task") as caught:
        load_task(name)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("path", "old", "new", "problem"),
    [
        ("tests/reference/harness.toml", "R1 = ", "R9 = ", "harness.toml maps unknown requirements ['R9']"),
        ("tests/reference/harness.toml", "accept = 1.0", "accept = 0.0", "metric.accept = 0.0 accepts the worst score"),
        ("tests/reference/harness.toml", 'R1 = ["test_doubles"]', "", "maps no check to the requirements ['R1']"),
        ("tests/reference/harness.toml", "test_doubles", "test_nothing", "names checks that no file has ['test_noth"),
    ],
)
def test_a_broken_reference_harness_is_named(task_tree: FileTree, path: str, old: str, new: str, problem: str) -> None:
    message = refusal(changed(task_tree, path, old, new))
    assert message.startswith("mine: tests/reference")
    assert problem in message


def test_a_test_split_that_is_a_file_is_not_kept_for_the_audit(task_tree: FileTree) -> None:
    files = task_tree.merged(FileTree({"splits/test.jsonl": b'{"id": "t", "input": 9, "expected": 18}\n'}))
    tree = changed(files, "task.toml", '{ generator = "splits/generate.py" }', '"splits/test.jsonl"')
    task = parse_task(tree, "mine")
    assert task.auditable.files["splits/test.jsonl"] == b""
    assert parse_task(task.auditable, "again").validation == task.validation

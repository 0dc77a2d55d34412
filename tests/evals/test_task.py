"""A task is loaded whole or refused in one line that names the file, the key or the case, and the remedy."""

import re
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


def test_validation_lines_under_another_name_in_the_public_folder_are_refused(task_tree: FileTree) -> None:
    lines = task_tree.files["splits/validation.jsonl"].splitlines()
    leaked = FileTree({"public/data/notes.txt": b"# see below\n  " + lines[1] + b"\r\n" + lines[3]})
    assert refusal(task_tree.merged(leaked)) == (
        "mine: public/data/notes.txt holds 2 lines of the validation split splits/validation.jsonl. "
        "The agent reads the public folder: take them out"
    )


@pytest.mark.parametrize(
    ("path", "old", "new", "problem"),
    [
        ("tests/reference/harness.toml", "R1 = ", "R9 = ", "harness.toml maps unknown requirements ['R9']"),
        ("tests/reference/harness.toml", "accept = 1.0", "accept = 0.0", "metric.accept = 0.0 accepts the worst score"),
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

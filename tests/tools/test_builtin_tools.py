"""What the model sees of the built-in tools, in a real box."""

import re

import pytest

from tools.base import ToolCall
from tools.files import FileTree
from tools.registry import Registry
from tools.testing import check_tool, context_for

REGISTRY = Registry.load()


@pytest.fixture
def call(box):
    def run(name, _context=None, **arguments):
        return REGISTRY.call(ToolCall("1", name, arguments), _context or context_for(box))

    return run


# ---- bash and python


def test_bash_shows_both_streams_in_order_and_the_exit_code(call):
    result = call("bash", command="echo out; echo err >&2; echo out again; exit 3")
    assert result.text == "out\nerr\nout again\n[exit code 3]"
    assert result.is_error


def test_bash_without_output_says_so(call):
    assert call("bash", command="true").text == "(no output)"


def test_bash_says_when_it_was_stopped(call):
    result = call("bash", command="echo first; sleep 100", timeout=1)
    assert result.text == "first\n[stopped after 1 s, and with it every process in the box]"
    assert result.is_error


def test_bash_says_when_memory_ran_out(call):
    assert "killed, most likely because memory ran out" in call("bash", command="kill -9 $$").text


def test_a_timeout_above_the_allowed_is_refused_and_not_shortened_in_silence(call):
    assert call("bash", command="true", timeout=601).text == "timeout 601 is more than the 600 s allowed"


@pytest.mark.parametrize("timeout", [10**400, 1e308], ids=["10^400", "1e308"])
def test_a_timeout_beyond_any_float_is_refused_like_any_other(call, timeout):
    result = call("bash", command="true", timeout=timeout)
    assert result.is_error
    assert re.search(r"^timeout 1\S+( \(401 characters\))? is more than the 600 s allowed$", result.text)


STRANGE = {
    "NaN": ("bash", {"command": "true", "timeout": float("nan")}, "Out of range float"),
    "infinity": ("python", {"code": "1", "timeout": float("inf")}, "Out of range float"),
    "half a pair in code": ("python", {"code": "print('\ud800')"}, "surrogates not allowed"),
    "half a pair in a command": ("bash", {"command": "echo \udcff"}, "surrogates not allowed"),
    "half a pair in a file": ("write_file", {"path": "a", "content": "\ud800"}, "surrogates not allowed"),
    "half a pair in a path": ("submit", {"path": "\ud800"}, "surrogates not allowed"),
    "half a pair in an argument's name": ("bash", {"command": "true", "\ud800": 1}, "surrogates not allowed"),
    "NUL in a command": ("bash", {"command": "a\0b"}, "null byte"),
    "NUL in a path": ("read_file", {"path": "a\0b"}, "null byte"),
    "too long a path": ("read_file", {"path": "a" * 5000}, "File name too long"),
    "too long a command": ("bash", {"command": "true " * 50_000}, "Argument list too long"),
    "no arguments at all": ("bash", {"__malformed__": '{"command": "ls'}, 'cannot be used: {"command": "ls. Give one'),
    "an unknown tool": ("\ud800", {}, r"there is no tool '\ud800'"),
}


@pytest.mark.parametrize(("name", "arguments", "message"), STRANGE.values(), ids=STRANGE)
def test_strange_arguments_are_a_result_that_says_what_is_wrong(call, name, arguments, message):
    result = call(name, **arguments)
    assert result.is_error
    assert message in result.text
    result.text.encode()


def test_cut_output_shows_head_and_tail_and_says_what_is_missing_and_where_it_is(box, call):
    result = call("bash", context_for(box, shown_chars=90), command="for i in $(seq 1000); do echo line $i; done")
    # seq 1000: 9 lines of 7, 90 of 8, 900 of 9 and one of 10 characters.
    assert result.text.startswith("line 1\nline 2\n")
    assert result.text.endswith("line 999\nline 1000")
    place = re.search(r"8,803 of 8,893 characters left out here; the whole is in (\S+) \.\.\.", result.text)[1]
    whole = next(iter(box.get(place).files.values()))
    assert whole == b"".join(b"line %d\n" % i for i in range(1, 1001))


def test_output_beyond_what_is_kept_is_counted(box, call):
    result = call(
        "bash", context_for(box, shown_chars=60, kept_bytes=1000), command="head -c 5000 /dev/zero | tr '\\0' x"
    )
    assert "940 of 1,000 characters left out here, and 4,000 bytes after them that were not kept" in result.text


def test_output_that_cannot_be_kept_is_still_shown(box, call):
    call("bash", command="head -c 10G /dev/zero > full")
    result = call("bash", context_for(box, shown_chars=60), command="seq 1000")
    assert result.text.startswith("1\n2\n3\n")
    assert "the whole could not be kept" in result.text


def test_output_that_is_not_utf8_is_shown_with_a_word(call):
    assert call("bash", command=r"printf 'a\xffb'").text.startswith("a\N{REPLACEMENT CHARACTER}b\n[not UTF-8:")
    assert call("bash", command=r"printf 'gr\xc3\xbcn'").text == "gr\N{LATIN SMALL LETTER U WITH DIAERESIS}n"


def test_python_runs_in_the_workspace_and_a_traceback_shows_the_line(box, call):
    box.put(FileTree({"helper.py": b"def double(x):\n    return 2 * x\n"}), "/workspace")
    assert call("python", code="import helper, os; print(helper.double(21), os.getcwd())").text == "42 /workspace"
    assert "    undefined_name + 1\n" in call("python", code="x = 1\nundefined_name + 1").text


# ---- files


def test_written_text_is_read_back_with_line_numbers(call):
    assert (
        call("write_file", path="d/a.txt", content="one\ntwo\nthree\n").text == "wrote 14 bytes to /workspace/d/a.txt"
    )
    assert call("read_file", path="d/a.txt").text == "1\tone\n2\ttwo\n3\tthree"
    assert call("read_file", path="/workspace/d/a.txt", first=2, lines=1).text == "2\ttwo"
    assert call("read_file", path="d/a.txt", first=2.0, lines=1.0).text == "2\ttwo"
    assert call("read_file", path="d/a.txt", first=3, lines=10**30).text == "3\tthree"
    assert call("read_file", path="d/a.txt", first=4).text.endswith("there is no line 4. It has 3 lines.")


def test_reading_what_is_no_file_says_why(call):
    assert call("read_file", path="none").text == "/workspace/none: No such file or directory"
    assert call("read_file", path="/workspace").text == "/workspace: Is a directory"


def test_an_edit_replaces_text_that_occurs_once_and_keeps_the_mode(call):
    call("write_file", path="a", content="alpha\nbeta\ngamma\n")
    call("bash", command="chmod 751 a")
    assert call("edit_file", path="a", old="beta\n", new="BETA\n").text == "edited /workspace/a at line 2"
    assert call("bash", command="cat a; stat -c %a a").text == "alpha\nBETA\ngamma\n751"


def test_an_edit_that_is_ambiguous_or_matches_nothing_changes_nothing(call):
    call("write_file", path="a", content="x = 1\nx = 1\n")
    assert "is in it 2 times. Add lines around it." in call("edit_file", path="a", old="x = 1", new="y").text
    assert "is not in it. Read the file" in call("edit_file", path="a", old="x  = 1", new="y").text
    assert call("bash", command="cat a").text == "x = 1\nx = 1"


def test_a_full_disk_leaves_the_file_as_it_was(call):
    call("write_file", path="a", content="precious")
    call("bash", command="head -c 10G /dev/zero > full")
    result = call("write_file", path="a", content="x" * 10_000)
    assert result.is_error
    assert "No space left on device" in result.text
    assert call("bash", command="cat a").text == "precious"


# ---- submit, and the contract


def test_submit_hands_over_the_absolute_path_and_returns_the_feedback(box, call):
    context = context_for(box, submit=lambda path: f"{path} scored 0.5")
    assert call("submit", context).text == "/workspace/submission scored 0.5"
    assert call("submit", context, path="other").text == "/workspace/other scored 0.5"


EXAMPLES = {
    "bash": {"command": "echo hello"},
    "read_file": {"path": "a.txt"},
    "write_file": {"path": "b.txt", "content": "x"},
    "edit_file": {"path": "a.txt", "old": "two", "new": "2"},
    "python": {"code": "print(1)"},
    "submit": {},
}


def test_every_built_in_tool_keeps_the_contract(box):
    assert set(EXAMPLES) <= set(REGISTRY.names)
    for name, example in EXAMPLES.items():
        box.put(FileTree({"a.txt": b"one two\n"}), "/workspace")
        check_tool(REGISTRY.tool(name), context_for(box), examples=[example])

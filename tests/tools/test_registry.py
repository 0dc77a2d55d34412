"""Registry, plugins and the conformance kit. The worked plugin is installed by pip, as a user would."""

import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import ClassVar

import pytest

from tools.base import ToolCall, ToolResult
from tools.errors import AuthorError, EnvironmentFailure, ToolError
from tools.registry import Registry, built_ins
from tools.sandbox import BoxLost
from tools.testing import FakeSandbox, check_tool, context_for, printed

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "tests" / "plugins" / "word_count"
CONTEXT = context_for(FakeSandbox())


class Echo:
    """A well-made tool; the tests below break one thing each."""

    name = "echo"
    description = "Give back the text."
    parameters: ClassVar = {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "What to give back."}},
        "required": ["text"],
        "additionalProperties": False,
    }

    def run(self, context, **arguments):
        return ToolResult(arguments["text"])


def plugin(run=Echo.run, **attributes):
    tool = type("Plugin", (Echo,), {"run": run, **attributes})()
    registry = Registry()
    registry.add(tool, origin="plugin example 1.0")
    return registry


def call(registry, context=CONTEXT, **arguments):
    return registry.call(ToolCall("1", "echo", arguments or {"text": "hello"}), context)


def installed(folder, name, module, code):
    """A distribution as pip leaves it: a module and its metadata."""
    (folder / f"{module}.py").write_text(code)
    metadata = folder / f"{name}-2.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n")
    (metadata / "entry_points.txt").write_text(f"[evalwright.tools]\nthing = {module}:Thing\n")


# ---- calls


def test_the_built_in_tools_are_there_in_the_form_of_the_chat_api():
    schemas = Registry(built_ins()).schemas()
    names = [schema["function"]["name"] for schema in schemas]
    assert names == ["bash", "read_file", "write_file", "edit_file", "python", "submit"]
    assert schemas[0]["type"] == "function"
    assert schemas[0]["function"]["parameters"]["required"] == ["command"]


def test_a_good_call_gives_the_tools_result():
    assert call(plugin()) == ToolResult("hello")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("ecko", {"text": "x"}, "there is no tool 'ecko'. There are: echo."),
        ("echo", {}, "echo: 'text' is a required property"),
        ("echo", {"text": 1}, "echo, argument text: 1 is not of type 'string'"),
        ("echo", {"text": "x", "tekst": 1}, "echo: Additional properties are not allowed ('tekst' was unexpected)"),
    ],
)
def test_a_wrong_call_is_a_result_that_says_what_is_wrong(name, arguments, message):
    assert plugin().call(ToolCall("1", name, arguments), CONTEXT) == ToolResult(message, is_error=True)


def test_a_tool_error_is_a_result_and_an_environment_failure_stops():
    def model_can_mend(self, context, **arguments):
        raise ToolError("no such file")

    def nobody_can_mend(self, context, **arguments):
        raise BoxLost("engine", "it is gone", where="box")

    assert call(plugin(model_can_mend)) == ToolResult("no such file", is_error=True)
    with pytest.raises(EnvironmentFailure, match="it is gone"):
        call(plugin(nobody_can_mend))


def test_a_plugin_that_fails_is_a_result_that_names_it():
    def run(self, context, **arguments):
        return 1 / 0

    result = call(plugin(run))
    assert result.is_error
    assert "echo (plugin example 1.0): the tool itself failed: ZeroDivisionError: division by zero" in result.text


def test_a_plugin_that_returns_no_result_is_a_result_that_names_it():
    assert "returned no ToolResult but str" in call(plugin(lambda self, context, **arguments: "text")).text


def test_whatever_a_plugin_says_can_be_written_as_utf8():
    def fail(self, context, **arguments):
        raise ToolError("x\ud800", where="\udcff")

    def crash(self, context, **arguments):
        raise RuntimeError("\ud800")

    assert call(plugin(fail)).text == r"\udcff: x\ud800"
    assert r"RuntimeError: \ud800" in call(plugin(crash)).text
    assert call(plugin(lambda self, context, **arguments: ToolResult("x\ud800"))).text == "x?"


def test_a_number_that_a_plugins_schema_cannot_be_asked_about_is_a_result():
    number = {"type": "object", "properties": {"text": {"type": "number", "multipleOf": 0.1}}}
    result = call(plugin(parameters=number), text=10**400)
    assert result.is_error
    assert "its arguments cannot be checked" in result.text


def test_a_plugin_that_floods_the_model_is_cut():
    result = call(plugin(), context_for(FakeSandbox(), shown_chars=90), text="x" * 10_000)
    assert len(result.text) < 400
    assert "9,910 of 10,000 characters left out" in result.text


def test_a_plugin_that_never_returns_is_given_up():
    release = threading.Event()
    try:
        started = time.monotonic()
        result = call(
            plugin(lambda self, context, **arguments: release.wait()), context_for(FakeSandbox(), timeout=0.2)
        )
        assert result == ToolResult("echo: it did not return within 0.2 s and was given up", is_error=True)
        assert time.monotonic() - started < 5
    finally:
        release.set()


def test_a_plugin_given_up_on_cannot_use_the_box_any_more():
    refused = threading.Event()

    def run(self, context, **arguments):
        time.sleep(1.5)
        try:
            context.sandbox.run(["true"], timeout=1000)
        except ToolError:
            refused.set()
            raise

    box = FakeSandbox(respond=lambda argv, stdin: printed(b""))
    assert "given up" in call(plugin(run), context_for(box, timeout=0.1)).text
    assert refused.wait(10)
    assert box.commands == []


# ---- plugins


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The worked plugin, installed by pip into a folder of its own."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(PLUGIN, folder / "source")  # setuptools builds inside the source
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(folder / "site"), str(folder / "source")], check=True)
    return folder / "site"


def test_an_installed_plugin_is_found_and_works_in_a_real_box(monkeypatch, site, box):
    monkeypatch.syspath_prepend(str(site))
    registry = Registry.load()
    assert "word_count" in registry.names
    box.run(["bash", "-c", "printf 'one two\\nthree' > a.txt"], timeout=5)
    result = registry.call(ToolCall("1", "word_count", {"path": "/workspace/a.txt"}), context_for(box))
    assert result == ToolResult("3 words")
    result = registry.call(ToolCall("2", "word_count", {"path": "/workspace/none"}), context_for(box))
    assert result == ToolResult("get in the box: /workspace/none: No such file or directory", is_error=True)


def test_the_worked_plugins_own_test_passes(site):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--noconftest",
            "-c",
            "/dev/null",
            "-p",
            "no:cacheprovider",
            str(PLUGIN / "test_word_count.py"),
        ],
        env={"PYTHONPATH": f"{site}:{ROOT}", "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,  # the assertion shows what it printed
    )
    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("x = 1", "AttributeError"),
        ("class Thing:\n  def __init__(self): raise ValueError('no key')", "ValueError: no key"),
        ("class Thing:\n  name = 'two words'", "has name 'two words'"),
        ("class Thing:\n  name = 'thing'", "it has no description"),
    ],
    ids=["import", "exit", "attribute", "constructor", "name", "description"],
)
def test_a_broken_plugin_is_one_line_naming_the_distribution(monkeypatch, tmp_path, code, message):
    installed(tmp_path, "shabby", f"shabby_{abs(hash(code))}", code)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(AuthorError, match=r"^plugin shabby 2\.0") as caught:
        Registry.load()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_name_that_is_taken_is_refused(monkeypatch, tmp_path):
    code = "from tools.shell import Bash\nclass Thing(Bash): ..."
    installed(tmp_path, "usurper", "usurper", code)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(AuthorError, match=r"plugin usurper 2\.0: tool name 'bash' is already taken by evalwright"):
        Registry.load()


# ---- the conformance kit


def test_a_good_tool_passes_the_kit():
    check_tool(Echo(), CONTEXT, examples=[{"text": "x"}])


LAX = {"type": "object", "properties": {"text": {"type": "string"}}}
BROKEN = {
    "shouts": ({"name": "two words"}, "has name 'two words'"),
    "mute": ({"description": " "}, "no description"),
    "untyped": ({"parameters": {"type": "array"}}, "no JSON schema of type object"),
    "misspelt": ({"parameters": {"type": "object", "properties": {"text": {"type": "strnig"}}}}, "no JSON schema: "),
    "lax": ({"parameters": LAX}, "set additionalProperties to false"),
    "undocumented": ({"parameters": LAX}, "text has no description"),
    "empty": ({"run": lambda self, context, text: ToolResult("")}, "neither text nor image"),
    "failing": ({"run": lambda self, context, text: 1 / 0}, "ZeroDivisionError"),
}


@pytest.mark.parametrize(("attributes", "message"), BROKEN.values(), ids=BROKEN)
def test_the_kit_says_what_is_wrong_with_a_tool(attributes, message):
    tool = type("Broken", (Echo,), attributes)()
    with pytest.raises(AuthorError, match=message):
        check_tool(tool, CONTEXT, examples=[{"text": "x"}])


def test_the_kit_wants_an_example_that_works():
    with pytest.raises(AuthorError, match="no example call"):
        check_tool(Echo(), CONTEXT, examples=[])
    with pytest.raises(AuthorError, match="is not of type 'string'"):
        check_tool(Echo(), CONTEXT, examples=[{"text": 1}])

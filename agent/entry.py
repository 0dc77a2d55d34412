"""Where the `evalwright` command starts: every ending is an exit code, and every bad one a clear line on stderr.

The command itself (agent/cli.py) is named by a string and imported inside the guard, since that takes seconds in which
Ctrl-C may come. What goes wrong by nobody's mistake but ours is said to be just that, and its traceback is kept.
"""

import importlib
import io
import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TextIO

from agent.hints import spelled
from agent.plain import plain
from tools.errors import EnvironmentFailure, EvalwrightError

COMMAND = "agent.cli"
MISUSE = 2
INTERRUPTED = 130


class _Results(io.TextIOWrapper):
    """stdout. That it cannot be written to is nobody's fault here, and is told from what the command itself does."""

    def write(self, text: str) -> int:
        with _results_lost():
            return super().write(text)

    def flush(self) -> None:
        with _results_lost():
            super().flush()


@contextmanager
def _results_lost() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        problem, remedy = f"the results cannot be written: {error.strerror}", "Send them somewhere else"
        raise EnvironmentFailure(problem, where="stdout", remedy=remedy) from None


def main() -> NoReturn:
    """Run what was typed, and exit."""
    try:
        signal.signal(signal.SIGTERM, _stop)
        with _streams():
            code = _run()
    except KeyboardInterrupt:  # a second one, while the first is being answered
        code = INTERRUPTED
    sys.exit(code)


@contextmanager
def _streams() -> Iterator[None]:
    """stdout and stderr that no letter can stop, also where the locale is ASCII only."""
    given = sys.stdout
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
    if isinstance(given, io.TextIOWrapper):
        given.flush()
        sys.stdout = _Results(
            given.buffer, encoding=given.encoding, errors="backslashreplace", line_buffering=given.line_buffering
        )
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            _let_go(stream)
        if isinstance(sys.stdout, _Results):
            sys.stdout.detach()  # or the buffer would be closed with it
            sys.stdout = given


def _run() -> int:
    """The exit code; complaints are made."""
    try:
        code = _command()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        _complain("stopped")
        return INTERRUPTED
    except EvalwrightError as error:
        _complain(spelled(str(error)), error.next_step)
        return error.exit_code
    except Exception as error:
        return _fault(error)


def _command() -> int:
    try:
        import typer  # noqa: PLC0415 - slow as well

        app = importlib.import_module(COMMAND).app
    except KeyboardInterrupt:
        # Python remembers an interrupt that came within exec() of a text, as imports have it, and would end itself by
        # that signal at exit though it was answered here.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        raise
    try:
        code = int(app(standalone_mode=False) or 0)
    except typer.TyperException as misuse:
        message = plain(misuse.format_message()).strip().rstrip(".")
        if message:  # without arguments the help has been printed, and says enough
            _complain(f"{message}. Try --help.")
        return MISUSE
    except typer.Abort:
        raise KeyboardInterrupt from None
    if code == INTERRUPTED:  # what typer makes of Ctrl-C
        raise KeyboardInterrupt
    return code


def _stop(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _complain(line: str, next_step: str = "") -> None:
    """Say what is wrong, and what to type to go on."""
    with suppress(OSError):
        print(f"evalwright: {plain(line)}", *([f"next: {next_step}"] if next_step else []), sep="\n", file=sys.stderr)
    if "--json" in sys.argv:
        with suppress(EnvironmentFailure):
            print(json.dumps({"error": line} | ({"next": next_step} if next_step else {})))


def _fault(error: Exception) -> int:
    """Say whose fault it is and where its traceback lies."""
    said = traceback.format_exception_only(error)[-1].strip()
    _complain(f"this is a fault of Evalwright, please report it: {said[:300]}. {_keep(error)}")
    return EnvironmentFailure.exit_code


def _keep(error: Exception) -> str:
    """Write the traceback to a file of its own, or to stderr when that is asked for or no file can be made."""
    trace = "".join(traceback.format_exception(error))
    if os.environ.get("EVALWRIGHT_DEBUG", "") in ("", "0"):
        with suppress(OSError, RuntimeError):  # RuntimeError: this user has no home directory
            # Beside the engine's logs (serving/paths.py).
            logs = Path(os.environ.get("EVALWRIGHT_HOME") or "~/.cache/evalwright").expanduser() / "logs"
            logs.mkdir(parents=True, exist_ok=True)
            handle, path = tempfile.mkstemp(prefix="fault-", suffix=".log", dir=logs)
            with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(trace)
            return f"The traceback is in {path}"
    with suppress(OSError):
        print(trace, file=sys.stderr, end="")
    return "The traceback is above"


def _let_go(stream: TextIO | None) -> None:
    """Flush a stream for the last time. One that cannot be is led nowhere, or Python would stumble over it at exit."""
    if stream is not None:
        try:
            stream.flush()
        except (OSError, ValueError, EnvironmentFailure):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()

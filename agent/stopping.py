"""Ctrl-C while a run is under way: answered at once, and a second one ends everything at once.

The first raises KeyboardInterrupt, which closes containers and engine and pauses the run. The second ends the process
without any of that, and nothing is left all the same: containers and the engine end with the process that holds them,
and the ledger holds whatever was recorded. SIGTERM counts as Ctrl-C.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from tools.errors import EvalwrightError

INTERRUPTED = 130
FIRST = "stopping; Ctrl-C again to end now"


class Stopped(EvalwrightError):
    """Someone stopped the command; a run that was under way is paused."""

    exit_code = INTERRUPTED

    def __init__(self) -> None:
        super().__init__("stopped")


class Stopping:
    """Answers the signals. As a watcher of the run it learns which one has to be resumed."""

    def __init__(self, to_resume: Callable[[str], str], *, end: Callable[[int], Any] = os._exit) -> None:
        self._to_resume, self._end = to_resume, end
        self.hint = ""
        """What to type to go on with the run; empty as long as none is under way."""
        self._asked = False

    def __call__(self, kind: str, payload: Mapping[str, Any]) -> None:
        if kind in ("run.started", "run.resumed"):
            self.hint = self._to_resume(payload["run"])

    def answer(self, *_: object) -> None:
        """The first time stop in order, the second time at once."""
        if self._asked:
            _tell(f"ended{f'; next: {self.hint}' if self.hint else ''}")
            self._end(INTERRUPTED)
        self._asked = True
        _tell(FIRST)
        raise KeyboardInterrupt


@contextmanager
def stopping(to_resume: Callable[[str], str] = str) -> Iterator[Stopping]:
    """Have Ctrl-C and SIGTERM answered that way while the block lasts; `to_resume`: a run's id → what to type.

    Whatever ends a run that is under way leaves with how to go on with it.
    """
    stop = Stopping(to_resume)
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.signal(number, stop.answer) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    except KeyboardInterrupt:
        stopped = Stopped()
        stopped.next_step = stop.hint
        raise stopped from None
    except EvalwrightError as error:
        error.next_step = stop.hint
        raise
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _tell(line: str) -> None:
    # Past sys.stderr, which this signal may have interrupted in the middle of a write; and past a live line.
    with suppress(OSError):
        os.write(2, f"{os.linesep if os.isatty(2) else ''}{line}{os.linesep}".encode())

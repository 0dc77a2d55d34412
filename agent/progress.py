"""Live progress on stderr: a line for each thing that happened, and on a terminal one line that keeps moving.

Where there is no terminal, a line every 15 seconds says what goes on when nothing else was said.

It watches the journal, so it shows what was recorded and nothing else. stdout stays free for results. What models and
submissions wrote is shown as text, whatever it holds.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from rich.live import Live
from rich.text import Text

from agent.budget import Limits
from agent.console import Out
from agent.plain import plain, shortened

PHASES = {
    "study": "studying the task",
    "build_harness": "writing the harness",
    "qualify": "harness at the gate",
    "attempt": "working on a submission",
    "score": "scoring",
    "reflect": "reflecting",
}
SIGN_SEC = 15.0
"""The longest silence."""
SHOWN = 240
"""Characters of a piece of evidence, or of a remedy."""


def clock(seconds: float) -> str:
    """Seconds as m:ss or h:mm:ss."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Signs:
    """Of life: a line that keeps moving on a terminal, elsewhere one that is printed after a silence."""

    def __init__(self, console: Out, line: Callable[[], Text], *, every_sec: float = SIGN_SEC) -> None:
        self._console, self._line, self._every_sec = console, line, every_sec
        self._live = Live(get_renderable=line, console=console, refresh_per_second=2, transient=True)
        self._over = threading.Event()

    def __enter__(self) -> "Signs":
        with suppress(OSError):
            if self._console.is_terminal:
                self._live.start()
            else:
                threading.Thread(target=self._give, name="signs of life", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with suppress(OSError):
            self._live.stop()

    def _give(self) -> None:
        self._console.silent_since = time.monotonic()
        while not self._over.wait(min(1.0, self._every_sec)):
            if time.monotonic() - self._console.silent_since >= self._every_sec:
                with suppress(OSError):
                    self._console.print(self._line(), soft_wrap=True)


@contextmanager
def at_work(console: Out, what: str) -> Iterator[None]:
    """Say what is going on for as long as the block lasts."""
    started = time.monotonic()
    with Signs(console, lambda: Text(f"⏳ {what} · {clock(time.monotonic() - started)}", style="cyan", no_wrap=True)):
        yield


class Progress:
    """A watcher of one run's journal."""

    def __init__(self, console: Out, limits: Limits, *, width: int = 0, sign_sec: float = SIGN_SEC) -> None:
        """`width`: candidates that a round of a tree search samples; 0 for another search."""
        self._console = console
        self._limits = limits
        self._width = width
        self._answers = 0
        self._started = time.monotonic()
        self._phase = "starting"
        self._submissions: set[str] = set()
        self._candidates = 0
        self._best: float | None = None
        self._tokens = 0
        self._signs = Signs(console, self._line, every_sec=sign_sec)

    def __enter__(self) -> "Progress":
        self._signs.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._signs.__exit__()

    def __call__(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Take note of one event, and tell it when it is worth a line."""
        self._note(kind, payload)
        line = _told(kind, payload)
        if line:
            text = Text(f"[{clock(time.monotonic() - self._started)}] {plain(line)}")
            with suppress(OSError):  # a terminal that was closed, a full disk: no reason for the run to stop
                self._console.print(text, soft_wrap=True)

    def _note(self, kind: str, payload: Mapping[str, Any]) -> None:
        if kind in ("run.started", "run.resumed"):
            self._started = time.monotonic()  # the budget begins here; what came before was preparation
        elif kind == "phase.entered":
            self._phase, self._answers = PHASES.get(payload["phase"], payload["phase"]), 0
        elif kind == "model.reply":
            self._tokens += payload["usage"]["prompt"] + payload["usage"]["output"]
            self._answers += payload["purpose"] == "attempt"
        elif kind == "search.round":
            self._answers = 0
        elif kind == "candidate.rehearsed":
            self._candidates += 1
        elif kind == "submission.frozen":
            self._submissions.add(payload["digest"])
        elif kind == "submission.promoted":
            self._best = payload["value"]

    def _doing(self) -> str:
        """The phase; of a round of a tree search, how far it is."""
        if not self._width or self._phase != PHASES["attempt"]:
            return self._phase
        if self._answers < self._width:
            return f"sampling: {self._answers} of {self._width} answers"
        return "trying candidates"

    def _line(self) -> Text:
        elapsed = time.monotonic() - self._started
        limit = self._limits.wall_clock_sec
        left = f" · {clock(max(0.0, limit - elapsed))} left" if limit else ""
        best = "none yet" if self._best is None else f"{self._best:.4g}"
        tried = f" · {self._candidates} candidates" if self._candidates else ""
        return Text(
            f"⏳ {plain(self._doing())} · {clock(elapsed)}{left}{tried} · {len(self._submissions)} submissions · "
            f"best validation {best} · {self._tokens:,} tokens",
            style="cyan",
            no_wrap=True,
            overflow="ellipsis",
        )


def _told(kind: str, payload: Mapping[str, Any]) -> str:
    """One line about an event worth one; empty for the others."""
    teller = _TELLERS.get(kind)
    return teller(payload) if teller else ""


def _verdict(payload: Mapping[str, Any]) -> str:
    complaints = [check for check in payload["checks"] if check["verdict"] in ("fail", "unknown")]
    because = f": {complaint(complaints[0])}" if complaints else ""
    return f"harness version {payload['version']}: {payload['verdict']}{because}"


def complaint(check: Mapping[str, Any], limit: int = SHOWN) -> str:
    """What the gate holds against a harness and what to do about it, on one line; `limit` bounds each."""
    parts = (str(check["evidence"]), str(check.get("remedy", "")))
    return " ".join([check["id"], *(shortened(part, limit) for part in parts if part)])


def _scored(payload: Mapping[str, Any]) -> str:
    if payload["state"] != "scored":
        detail = shortened(payload["detail"], SHOWN)
        return f"submission {payload['digest'][:8]} on {payload['split']}: {payload['state']}: {detail}"
    failed = sum(not passed for passed in payload["checks"].values())
    checks = f", {failed} of {len(payload['checks'])} checks failed" if failed else ", all checks passed"
    return f"submission {payload['digest'][:8]} on {payload['split']}: {payload['value']:.4g}{checks}"


def _round(payload: Mapping[str, Any]) -> str:
    best = ", ".join(f"{name} {value:.3g}" for name, value in payload["best"].items())
    tried = f"{payload['asked']} sampled, {payload['new']} new, {payload['edits']} small edits"
    return f"{tried}; best on public: {best or 'none'}"


_TELLERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "run.started": lambda p: f"run {p['run']}: {p['task']} with {p['model']}",
    "run.resumed": lambda p: "resumed",
    "run.paused": lambda p: "paused",
    "run.finished": lambda p: f"{p['state']}: {p['reason']}",
    "phase.entered": lambda p: PHASES[p["phase"]] if p["phase"] in ("study", "build_harness", "qualify") else "",
    "harness.frozen": lambda p: f"harness version {p['version']} ({p['origin']}): {p['digest'][:8]}",
    "harness.verdict": _verdict,
    "search.round": _round,
    "tool.call": lambda p: f"{p['name']} {shortened(str(dict(p['arguments'])), 100)}",
    "submission.scored": _scored,
    "submission.promoted": lambda p: f"promoted {p['digest'][:8]}: best validation is now {p['value']:.4g}",
}

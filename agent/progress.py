"""Live progress on stderr: a line for each thing that happened, and on a terminal one line that keeps moving.

It watches the journal, so it shows what was recorded and nothing else. stdout stays free for results.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from agent.budget import Limits

PHASES = {
    "study": "studying the task",
    "build_harness": "writing the harness",
    "qualify": "harness at the gate",
    "attempt": "working on a submission",
    "score": "scoring",
    "reflect": "reflecting",
}


def clock(seconds: float) -> str:
    """Seconds as m:ss or h:mm:ss."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """A watcher of one run's journal."""

    def __init__(self, console: Console, limits: Limits) -> None:
        self._console = console
        self._limits = limits
        self._started = time.monotonic()
        self._phase = "starting"
        self._submissions: set[str] = set()
        self._candidates = 0
        self._best: float | None = None
        self._tokens = 0
        self._live = Live(get_renderable=self._line, console=console, refresh_per_second=2, transient=True)

    def __enter__(self) -> "Progress":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Take note of one event."""
        if kind == "phase.entered":
            self._phase = PHASES.get(payload["phase"], payload["phase"])
        elif kind == "model.reply":
            self._tokens += payload["usage"]["prompt"] + payload["usage"]["output"]
        elif kind == "candidate.rehearsed":
            self._candidates += 1
        elif kind == "submission.frozen":
            self._submissions.add(payload["digest"])
        elif kind == "submission.promoted":
            self._best = payload["value"]
        line = _told(kind, payload)
        if line:
            self._console.print(Text(f"[{clock(time.monotonic() - self._started)}] {line}"), soft_wrap=True)

    def _line(self) -> Text:
        elapsed = time.monotonic() - self._started
        limit = self._limits.wall_clock_sec
        left = f" · {clock(max(0.0, limit - elapsed))} left" if limit else ""
        best = "none yet" if self._best is None else f"{self._best:.4g}"
        tried = f" · {self._candidates} candidates" if self._candidates else ""
        return Text(
            f"⏳ {self._phase} · {clock(elapsed)}{left}{tried} · {len(self._submissions)} submissions · "
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
    reasons = [
        f"{check['id']} {check['evidence']}" for check in payload["checks"] if check["verdict"] in ("fail", "unknown")
    ]
    because = f": {reasons[0][:200]}" if reasons else ""
    return f"harness version {payload['version']}: {payload['verdict']}{because}"


def _scored(payload: Mapping[str, Any]) -> str:
    if payload["state"] != "scored":
        return (
            f"submission {payload['digest'][:8]} on {payload['split']}: {payload['state']}: {payload['detail'][:160]}"
        )
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
    "run.paused": lambda p: f"paused: {p['reason']}",
    "run.finished": lambda p: f"{p['state']}: {p['reason']}",
    "phase.entered": lambda p: PHASES[p["phase"]] if p["phase"] in ("study", "build_harness", "qualify") else "",
    "harness.frozen": lambda p: f"harness version {p['version']} ({p['origin']}): {p['digest'][:8]}",
    "harness.verdict": _verdict,
    "search.round": _round,
    "tool.call": lambda p: f"{p['name']} {str(dict(p['arguments']))[:100]}",
    "submission.scored": _scored,
    "submission.promoted": lambda p: f"promoted {p['digest'][:8]}: best validation is now {p['value']:.4g}",
}

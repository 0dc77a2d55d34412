"""The run's voice: every event goes to the ledger first, then to whoever watches.

Watchers (the progress display) see exactly what was recorded, so what is shown live and what is audited cannot differ.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from evals.ledger import Ledger, Recorder

Watcher = Callable[[str, Mapping[str, Any]], None]


class Journal:
    """Appends events to one run and reads them back."""

    def __init__(self, ledger: Ledger, recorder: Recorder, watchers: tuple[Watcher, ...] = ()) -> None:
        self.ledger = ledger
        self._recorder = recorder
        self._watchers = watchers

    @property
    def run_id(self) -> str:
        return self._recorder.run_id

    def append(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Record one event, durably, then show it."""
        self._recorder.append(kind, dict(payload))
        for watch in self._watchers:
            watch(kind, payload)

    def all(self, *kinds: str) -> list[tuple[str, dict[str, Any]]]:
        """The recorded events of these kinds, oldest first."""
        return [(event.kind, json.loads(event.payload)) for event in self.ledger.events(self.run_id, kinds=kinds)]

    def last(self, kind: str) -> dict[str, Any] | None:
        """The payload of the newest event of a kind."""
        found = self.newest(kind, 1)
        return found[0] if found else None

    def newest(self, kind: str, count: int) -> list[dict[str, Any]]:
        """The payloads of the last `count` events of a kind, oldest first."""
        return [json.loads(event.payload) for event in self.ledger.newest(self.run_id, {kind}, count)]

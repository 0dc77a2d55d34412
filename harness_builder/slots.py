"""How many gradings go on at the same time."""

import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from harness_builder.finding import Undecided

T = TypeVar("T")
R = TypeVar("R")


class Slots:
    """A bound on the gradings at the same time, and a way to stop what has not started.

    `may_go_on` is asked before each one; what it raises ends the qualification.
    """

    def __init__(
        self,
        count: int,
        may_go_on: Callable[[], None] = lambda: None,
        *,
        abandon: Callable[[], None] = lambda: None,
        seconds: float = float("inf"),
    ) -> None:
        """`abandon` ends the gradings that are under way; after so many `seconds` no further one begins."""
        self.count, self._may_go_on, self._abandon = count, may_go_on, abandon
        self._seconds, self._deadline = seconds, time.monotonic() + seconds
        self._free, self._stopped = threading.Semaphore(count), threading.Event()

    def stop(self, reason: BaseException) -> None:
        """Nothing further begins; what is under way is ended too if a person wants it."""
        self._stopped.set()
        if isinstance(reason, KeyboardInterrupt):
            self._abandon()

    def each(self, items: Collection[T], act: Callable[[T], R], *, together: bool = False) -> list[R]:
        """Act on every item, side by side as far as there are slots; results in the order of the items.

        `together`: all of them at once in one slot, for what hardly needs a processor.
        """

        def go_on(item: T) -> R:
            if self._stopped.is_set():
                raise Undecided("the qualification was stopped")
            if time.monotonic() > self._deadline:
                raise Undecided(f"it took longer than {self._seconds:g} s", "Make the harness faster.")
            self._may_go_on()
            return act(item)

        def when_free(item: T) -> R:
            with self._free:
                return go_on(item)

        with ThreadPoolExecutor(len(items) if together else self.count) as pool:
            try:
                if not together:
                    return list(pool.map(when_free, items))
                with self._free:
                    return list(pool.map(go_on, items))
            except KeyboardInterrupt as reason:
                self.stop(reason)  # or what is under way would be waited for
                raise

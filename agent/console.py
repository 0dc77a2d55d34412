"""Where lines for people are printed: as wide as the terminal, and unbounded where there is none.

In a file or a pipe nothing is wrapped or cut, so that a program finds what it looks for on one line.
"""

import time
from typing import Any

from rich.console import Console, ConsoleOptions

UNBOUNDED = 100_000


class Out(Console):
    """A console that also knows since when it has been silent."""

    silent_since = time.monotonic()

    @property
    def options(self) -> ConsoleOptions:
        options = super().options
        return options if self.is_terminal else options.update(width=UNBOUNDED)

    def print(self, *objects: Any, **options: Any) -> None:
        if not self.is_terminal:
            options["crop"] = False
        super().print(*objects, **options)
        self.silent_since = time.monotonic()

"""What a run may spend, and what it has spent: wall clock, tokens, cost, steps.

Spending is counted across resumptions: what earlier lives of the run used is given at the start. A limit of 0 is none.
"""

import time
from dataclasses import dataclass, field, replace
from threading import Lock

from agent.model import Usage


class BudgetSpent(Exception):
    """A limit is reached; the message says which."""


@dataclass(frozen=True)
class Limits:
    """Upper bounds; 0 means unbounded."""

    wall_clock_sec: float = 0.0
    tokens: int = 0
    cost_usd: float = 0.0
    steps: int = 0


@dataclass(frozen=True)
class Spent:
    """What has been used so far. `unpriced` counts answers of a model without a known price."""

    seconds: float = 0.0
    prompt: int = 0
    cached: int = 0
    output: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    steps: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt + self.output


@dataclass
class Budget:
    """Counts spending against limits; safe to use from several threads."""

    limits: Limits
    before: Spent = field(default_factory=Spent)
    _spent: Spent = field(init=False)
    _started: float = field(init=False)
    _lock: Lock = field(init=False, default_factory=Lock)

    def __post_init__(self) -> None:
        self._spent = self.before
        self._started = time.monotonic()

    @property
    def spent(self) -> Spent:
        return replace(self._spent, seconds=self.before.seconds + time.monotonic() - self._started)

    @property
    def seconds_left(self) -> float:
        """Wall-clock seconds left; infinite without such a limit."""
        limit = self.limits.wall_clock_sec
        return limit - self.spent.seconds if limit else float("inf")

    def count(self, usage: Usage) -> None:
        """Add one model answer."""
        with self._lock:
            spent = self._spent
            self._spent = replace(
                spent,
                prompt=spent.prompt + usage.prompt,
                cached=spent.cached + usage.cached,
                output=spent.output + usage.output,
                cost_usd=spent.cost_usd + (usage.cost_usd or 0.0),
                unpriced=spent.unpriced + (usage.cost_usd is None),
                steps=spent.steps + 1,
            )

    def check(self) -> None:
        """Raise BudgetSpent when a limit is reached."""
        spent, limits = self.spent, self.limits
        for name, used, limit in (
            ("wall clock", spent.seconds, limits.wall_clock_sec),
            ("tokens", spent.tokens, limits.tokens),
            ("cost", spent.cost_usd, limits.cost_usd),
            ("steps", spent.steps, limits.steps),
        ):
            if limit and used >= limit:
                told = int(used) if name == "wall clock" else used  # which ticks on: whole seconds are told
                raise BudgetSpent(f"{name}: {told:.6g} of {limit:.6g} used")

"""An OpenAI-compatible server we may talk to, and whether it is alive.

Health has three answers, because a CPU engine deep in a long prefill answers late and must not be taken for dead.
"""

from dataclasses import dataclass, field
from typing import Literal

import httpx

Health = Literal["ready", "busy", "dead"]
PROBE_SEC = 5.0


@dataclass(frozen=True)
class Endpoint:
    """Where a model is served."""

    base_url: str  # ends in /v1
    model: str
    api_key: str = field(repr=False)

    def health(self, timeout: float = PROBE_SEC) -> Health:
        """`ready`: it answers. `busy`: it takes the connection but is late. `dead`: it refuses or has failed."""
        try:
            status = httpx.get(f"{self.base_url.removesuffix('/v1')}/health", timeout=timeout).status_code
        except httpx.TimeoutException:
            return "busy"
        except httpx.TransportError:
            return "dead"
        # vLLM answers 503 when its engine process has died under it.
        return "ready" if status == httpx.codes.OK else "dead"

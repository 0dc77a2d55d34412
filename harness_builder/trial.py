"""Outputs that the gate puts before a harness."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Trial:
    """Outputs put before the harness. `formed`: they have the types a right output has, only the content is another."""

    name: str
    outputs: Mapping[str, Any]
    formed: bool = True

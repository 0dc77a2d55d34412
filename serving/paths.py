"""Where serving keeps its files: $EVALWRIGHT_HOME, or ~/.cache/evalwright."""

import os
from pathlib import Path


def cache_home() -> Path:
    """The directory for weights, engine logs and the shared engine's record; not made here."""
    return Path(os.environ.get("EVALWRIGHT_HOME") or Path.home() / ".cache" / "evalwright").expanduser()

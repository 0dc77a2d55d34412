"""Where serving keeps its files: $EVALWRIGHT_HOME, or ~/.cache/evalwright."""

import os
from pathlib import Path

from tools.errors import EnvironmentFailure


def cache_home() -> Path:
    """The directory for weights, engine logs and the shared engine's record; not made here. EnvironmentFailure."""
    home = os.environ.get("EVALWRIGHT_HOME") or "~/.cache/evalwright"
    try:
        return Path(home).expanduser()
    except RuntimeError:  # no HOME, and no entry for this user that would tell it
        raise EnvironmentFailure(
            "this user has no home directory to keep files in", where=home, remedy="Set HOME or EVALWRIGHT_HOME"
        ) from None

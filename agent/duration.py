"""Durations as people write them: 90s, 10m, 12h, or plain seconds."""

import re

from evals.task import YEAR_SEC
from evals.toml import shown
from tools.errors import AuthorError

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds_of(text: str) -> float:
    """Seconds in "90s", "10m", "1.5h", "2d" or "600"; AuthorError for anything else, and for more than a year."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smhd]?)\s*", text)
    if match is None:
        raise AuthorError(f"{shown(text)} is not a duration", where="--budget", remedy="Write 90s, 10m or 12h")
    seconds = float(match[1]) * UNITS[match[2]]
    if seconds > YEAR_SEC:
        raise AuthorError(f"{shown(text)} is more than a year", where="--budget", remedy="Write 0 for no limit")
    return seconds

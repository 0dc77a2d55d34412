"""Durations as people write them: 90s, 10m, 12h, or plain seconds."""

import re

from tools.errors import AuthorError

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds_of(text: str) -> float:
    """Seconds in "90s", "10m", "1.5h", "2d" or "600"; AuthorError for anything else."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smhd]?)\s*", text)
    if match is None:
        raise AuthorError(f"{text!r} is not a duration", where="--budget", remedy="Write 90s, 10m or 12h")
    return float(match[1]) * UNITS[match[2]]

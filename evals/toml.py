"""TOML from other hands: whatever its bytes are, it is read, or refused with one ValueError in one line.

Python's own reader also raises RecursionError, and takes quadratic time over a key of many parts; here size and depth
are bounded first.
"""

import re
import tomllib
from typing import Any

MAX_BYTES = 256_000
MAX_PARTS = 50
"""Parts of a dotted key."""
LONG_KEY = re.compile(rb"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){%d}""" % MAX_PARTS)
SHOWN = 80


def read_toml(data: bytes) -> dict[str, Any]:
    """The table in it; ValueError says what is wrong, and on which line where Python's reader knows."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data)} bytes, and at most {MAX_BYTES} are read")
    if (key := LONG_KEY.search(data)) is not None:
        line = data.count(b"\n", 0, key.start()) + 1
        raise ValueError(f"a key of more than {MAX_PARTS} parts (at line {line})")
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start + 1}") from None
    except RecursionError:
        raise ValueError("nested too deeply to read") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not valid TOML: {error}") from None
    except ValueError as error:  # an integer of more digits than Python reads; what follows the semicolon is how to
        raise ValueError(str(error).partition(";")[0]) from None


def shown(value: object) -> str:
    """A value for an error message, cut short; also one that Python refuses to write out."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of more digits than Python prints, tables inside tables
        return f"a value of type {type(value).__name__} that is too large to show"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"

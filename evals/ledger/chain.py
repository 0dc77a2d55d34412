"""Canonical JSON and the hash that chains a run's events.

An event's hash is the SHA-256 of the canonical JSON list `[run_id, seq, at, kind, payload, prev_hash]`, the payload in
it as text, so that any program with a JSON writer and SHA-256 can check a chain. The first event's `prev_hash` is the
SHA-256 of `evalwright:` + run id. Canonical means: keys sorted by code point, no white space, characters as they are
(UTF-8), finite numbers written as Python's `repr`.

A chain shows edits, gaps and reordering. It does not show that the tail was cut off or that everything after some
point was computed anew: that takes a head kept or signed elsewhere.
"""

import hashlib
import json
import math
from collections.abc import Iterable

from tools.errors import AuthorError

MAX_DEPTH = 100
"""Lists and objects inside each other; far below where Python's own JSON code gives up."""


def canonical(value: object, *, where: str = "") -> str:
    """`value` as canonical JSON text; AuthorError naming the key when JSON, or UTF-8, has no way to write it."""
    _check(value, where or "value", 0)
    return _dumps(value)


def sha256(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def first_hash(run_id: str) -> str:
    """The `prev_hash` of a run's first event."""
    return sha256(f"evalwright:{run_id}".encode())


def event_hash(run_id: str, seq: int, at: str, kind: str, payload: str, *, prev_hash: str) -> str:
    """The hash of one event."""
    text = _dumps([run_id, seq, at, kind, payload, prev_hash])
    # A tampered row may hold bytes that are no UTF-8; the database hands them over escaped, here they are bytes again.
    return sha256(text.encode(errors="surrogateescape"))


def _dumps(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _check(value: object, where: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise AuthorError(f"nested deeper than {MAX_DEPTH} levels", where=where[:200], remedy="Flatten it.")
    if isinstance(value, str):
        _check_text(value, where)
    elif isinstance(value, dict):
        _check_keys(value, where)
        _check_items(((f"{where}.{key}", item) for key, item in value.items()), depth)
    elif isinstance(value, (list, tuple)):
        _check_items(((f"{where}[{index}]", item) for index, item in enumerate(value)), depth)
    else:
        _check_atom(value, where)


def _check_items(items: Iterable[tuple[str, object]], depth: int) -> None:
    for where, item in items:
        _check(item, where, depth + 1)


def _check_keys(value: dict[object, object], where: str) -> None:
    for key in value:
        if not isinstance(key, str):
            raise AuthorError(f"the key {key!r} is not a string", where=where, remedy="Use string keys.")
        _check_text(key, where)


def _check_text(value: str, where: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        problem = f"half a surrogate pair at character {error.start} cannot be written as UTF-8"
        raise AuthorError(problem, where=where, remedy="Replace it.") from None


def _check_atom(value: object, where: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise AuthorError(f"{value} is not a JSON number", where=where, remedy="Use a finite number or null.")
    if isinstance(value, int) and value.bit_length() > 4096:
        # Beyond about 4,300 digits Python itself refuses to print, and to read back, an integer.
        raise AuthorError("an integer of more than 4096 bits", where=where, remedy="Write it as a string.")
    if not (value is None or isinstance(value, (bool, int, float))):
        kind = type(value).__name__
        raise AuthorError(f"a {kind} is not JSON", where=where, remedy="Use strings, numbers, lists and dicts.")

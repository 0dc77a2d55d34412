"""A file as someone sees it who looks for answers in it: unpacked, decoded, and cut into records."""

import base64
import binascii
import bz2
import gzip
import io
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

MOST_BYTES = 8_000_000
"""Of an unpacked file; what lies behind is not looked at."""
ENCODED = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
UNREADABLE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError)


def records(data: bytes) -> list[str]:
    """Its lines, or the items of the JSON value that it holds; what is base64 or hexadecimal also decoded."""
    found = []
    for part in _unpacked(data):
        text = part.decode("utf-8", "replace")
        for record in _cut(text):
            found.append(record)
            decoded = " ".join(_decoded(record))
            if decoded:
                found.append(f"{record} {decoded}")
    return found


def _unpacked(data: bytes) -> Iterator[bytes]:
    for magic, opened in ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open)):
        if data.startswith(magic):
            try:
                with opened(io.BytesIO(data)) as file:
                    yield file.read(MOST_BYTES)
            except UNREADABLE:
                pass
            return
    if data.startswith(b"PK\x03\x04"):
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for name in archive.namelist():
                    with archive.open(name) as member:
                        yield member.read(MOST_BYTES)
        except UNREADABLE:
            pass
        return
    yield data[:MOST_BYTES]


def _cut(text: str) -> list[str]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return [line for line in text.splitlines() if line.strip()]
    while isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return [_written(item) for item in _items(value)]


def _items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        columns = [column for column in value.values() if isinstance(column, list)]
        if len(columns) == len(value) and len({len(column) for column in columns}) == 1 and len(columns[0]) > 1:
            return list(zip(*columns, strict=True))  # a table, column by column
        return list(value.items())
    return value if isinstance(value, list) else [value]


def _written(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False)


def _decoded(record: str) -> Iterator[str]:
    for token in ENCODED.findall(record):
        for decode in (bytes.fromhex, lambda text: base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_")):
            try:
                text = decode(token).decode("utf-8")
            except (ValueError, binascii.Error):
                continue
            if text.isprintable():
                yield text

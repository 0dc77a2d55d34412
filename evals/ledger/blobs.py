"""Content-addressed bytes in the ledger.

A blob is named by the SHA-256 of its raw bytes and stored once, compressed where that is smaller. Reading checks the
hash again, so bytes that come back are the bytes that went in.
"""

import zlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection
from sqlmodel import insert, select

from evals.ledger.chain import sha256
from evals.ledger.database import Database
from evals.ledger.tables import Blob
from tools.errors import AuthorError

MAX_BYTES = 900_000_000
"""SQLite holds a value of up to 1,000,000,000 bytes."""


def put_blobs(database: Database, contents: Sequence[bytes]) -> list[str]:
    """Store what is not there yet, all of it or nothing; the digests."""
    for data in contents:
        if len(data) > MAX_BYTES:
            raise AuthorError(f"a blob of {len(data)} bytes; the ledger takes {MAX_BYTES}", remedy="Split it.")
    digests = [sha256(data) for data in contents]
    with database.reading() as connection:
        new = {digest: data for digest, data in zip(digests, contents, strict=True) if not _exists(connection, digest)}
    rows = [_row(digest, data) for digest, data in new.items()]  # packed while no other writer has to wait for it
    if rows:
        with database.writing() as connection:
            for row in rows:
                if not _exists(connection, row["digest"]):
                    connection.execute(insert(Blob), row)
    return digests


def _row(digest: str, data: bytes) -> dict[str, Any]:
    packed = zlib.compress(data)
    encoding, stored = ("zlib", packed) if len(packed) < len(data) else ("raw", data)
    return {"digest": digest, "size": len(data), "encoding": encoding, "data": stored}


def get_blob(connection: Connection, digest: str) -> bytes:
    """The raw bytes; AuthorError when there is no such blob or its bytes were changed."""
    row = connection.execute(select(Blob.size, Blob.encoding, Blob.data).where(Blob.digest == digest)).first()
    if row is None:
        raise AuthorError(f"there is no blob {digest!r}", remedy="Run verify to see what else is missing.")
    data = _unpack(row.size, row.encoding, row.data)
    if data is None or sha256(data) != digest:
        raise AuthorError(f"the bytes of blob {digest} were changed", remedy="Restore the database from a copy.")
    return data


def _exists(connection: Connection, digest: str) -> bool:
    return connection.execute(select(Blob.digest).where(Blob.digest == digest)).first() is not None


def _unpack(size: int, encoding: str, data: bytes) -> bytes | None:
    """The raw bytes, or None when they cannot be `size` bytes stored as `encoding`."""
    if not 0 <= size <= MAX_BYTES:
        return None
    if encoding == "zlib":
        stream = zlib.decompressobj()
        try:
            # Bounded, so that a tampered row cannot unpack into more memory than it says.
            data = stream.decompress(data, size + 1)
        except (zlib.error, ValueError):
            return None
        if stream.unused_data:
            return None
    return data if len(data) == size and encoding in ("raw", "zlib") else None

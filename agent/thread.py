"""A conversation as it stood at one moment: its first so many messages, and a digest that names them.

The digest is chained message by message, so a conversation that grows by one costs one more, however long it is.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, overload

Message = dict[str, Any]

START = hashlib.sha256(b"evalwright thread").digest()


def chained(earlier: bytes, message: Message) -> bytes:
    """The digest of a conversation that one message has been added to."""
    return hashlib.sha256(earlier + json.dumps(message, sort_keys=True).encode()).digest()


def digest_of(messages: Sequence[Message]) -> bytes:
    """The digest of a conversation; of a `Thread` it is known."""
    if isinstance(messages, Thread):
        return messages.digest
    digest = START
    for message in messages:
        digest = chained(digest, message)
    return digest


class Thread(Sequence[Message]):
    """A view of a list that is only ever added to; equal to every sequence of the same messages."""

    def __init__(self, messages: list[Message], digest: bytes) -> None:
        self._messages, self._length, self.digest = messages, len(messages), digest

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> list[Message]: ...
    def __getitem__(self, place: int | slice) -> Message | list[Message]:
        found = range(self._length)[place]
        return self._messages[found] if isinstance(found, int) else [self._messages[each] for each in found]

    def __iter__(self) -> Iterator[Message]:
        return (self._messages[place] for place in range(self._length))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self.digest)

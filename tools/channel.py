"""Frames between the orchestrator and the server in a box, over Docker's attached stream.

The other end is not trusted: code in the box runs as the same user as its server and might come to speak for it. So
every length is held to a cap before memory is spent on it, every header must be a small JSON object of the expected
shape, and what arrives is only ever data. Anything else is `BoxLost`, after which the channel is not used again.
"""

import contextlib
import json
import socket
import struct
import time
from typing import Any

from tools.sandbox import BoxLost, LossCause

LENGTHS = struct.Struct(">II")
DOCKER_HEADER = struct.Struct(">B3xI")
STDOUT, STDERR = 1, 2
MAX_HEADER = 64_000
LONGEST_WAIT_SEC = 3_600.0
"""One wait of the kernel's takes no more than 2^31 ms; longer ones are waited in pieces."""
STDERR_KEPT = 2_000


class Channel:
    """One stream, one exchange at a time; the caller holds a lock."""

    def __init__(self, stream: socket.socket, where: str) -> None:
        self._stream, self._where = stream, where
        self._raw = bytearray()  # as Docker sent it: chunks of stdout and stderr behind 8-byte headers
        self._answers = bytearray()  # stdout alone
        self.stderr = b""  # the last words of a server that died

    def send(self, header: dict[str, Any], body: bytes = b"", *, deadline: float) -> None:
        """Send one request; `deadline` is in terms of `time.monotonic()`."""
        head = json.dumps(header).encode()
        rest = memoryview(LENGTHS.pack(len(head), len(body)) + head + body)
        while rest:
            self._wait_until(deadline, "it did not take a request in time")
            try:
                rest = rest[self._stream.send(rest) :]
            except TimeoutError:
                continue
            except OSError as error:
                raise self._lost("exited", f"its server is gone ({error.strerror or error})") from None

    def receive(self, *, max_body: int, deadline: float) -> tuple[dict[str, Any], bytes]:
        """The next answer, its body no longer than `max_body`."""
        head_size, body_size = LENGTHS.unpack(self._take(LENGTHS.size, deadline))
        if head_size > MAX_HEADER or body_size > max_body:
            raise self._lost("forged", f"it announced a frame of {head_size} + {body_size} bytes")
        head = self._take(head_size, deadline)
        try:
            header = json.loads(head)
        except (ValueError, RecursionError):
            raise self._lost("forged", "it sent a header that is not JSON") from None
        if not isinstance(header, dict):
            raise self._lost("forged", "it sent a header that is no JSON object")
        return header, self._take(body_size, deadline)

    def hang_up(self) -> None:
        """End the stream, also for a thread that waits for an answer; it is closed when nobody waits any more."""
        with contextlib.suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._stream.close()

    def _take(self, size: int, deadline: float) -> bytes:
        while len(self._answers) < size:
            self._pump(deadline)
        data = bytes(self._answers[:size])
        del self._answers[:size]
        return data

    def _pump(self, deadline: float) -> None:
        """Move one chunk of Docker's stream on to where it belongs."""
        kind, size = DOCKER_HEADER.unpack(self._take_raw(DOCKER_HEADER.size, deadline))
        if kind not in (STDOUT, STDERR) or size > 1 << 24:
            raise self._lost("engine", f"Docker sent a chunk of unknown kind {kind} and {size} bytes")
        chunk = self._take_raw(size, deadline)
        if kind == STDOUT:
            self._answers += chunk
        else:
            self.stderr = (self.stderr + chunk)[-STDERR_KEPT:]

    def _take_raw(self, size: int, deadline: float) -> bytes:
        while len(self._raw) < size:
            self._wait_until(deadline, "it did not answer in time")
            try:
                received = self._stream.recv(1 << 18)
            except TimeoutError:
                continue
            except OSError as error:
                raise self._lost("engine", f"the stream to it broke ({error.strerror or error})") from None
            if not received:
                raise self._lost("exited", "its server ended")
            self._raw += received
        data = bytes(self._raw[:size])
        del self._raw[:size]
        return data

    def _wait_until(self, deadline: float, late: str) -> None:
        """Let the next call on the stream take what is left, or a part of it when that is very long."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._lost("silent", late)
        self._stream.settimeout(min(left, LONGEST_WAIT_SEC))

    def _lost(self, cause: LossCause, problem: str) -> BoxLost:
        return BoxLost(cause, problem, where=self._where)

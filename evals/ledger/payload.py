"""Reading payloads back, when somebody may have changed them since.

Whatever reads an event's fields takes them from `Payload`: a field that is missing, or of another kind than was
recorded, ends as one line that names the event, never as a crash further on.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from evals.ledger.chain import canonical
from tools.errors import AuthorError, EvalwrightError


def parsed(text: str) -> dict[str, Any] | None:
    """The payload, or None when it is not the canonical text of an object."""
    try:
        value = json.loads(text)
        return value if isinstance(value, dict) and canonical(value) == text else None
    except (ValueError, RecursionError, EvalwrightError):
        return None


def is_utf8(text: str) -> bool:
    """Whether the text can be written as UTF-8; the database hands over other bytes escaped."""
    return text == printable(text)


def printable(text: str) -> str:
    r"""Text as any terminal and JSON file can hold it: bytes that are no UTF-8 as `\xff`."""
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


@dataclass(frozen=True)
class Payload:
    """The fields of one recorded object, each checked as it is taken; AuthorError names the event and the field."""

    fields: Mapping[str, Any]
    run_id: str
    seq: int
    path: str = ""
    """Where in the payload these fields stand: `usage.`, or nothing at its top."""

    @classmethod
    def of(cls, text: str, run_id: str, seq: int) -> "Payload":
        """The payload of event `seq`."""
        fields = parsed(text)
        if fields is None:
            raise _changed("its payload is not the canonical JSON of an object", run_id, seq)
        return cls(fields, run_id, seq)

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return value if isinstance(value, str) else self._refuse(name, "text")

    def number(self, name: str) -> float:
        value = finite(self.fields.get(name))
        return value if value is not None else self._refuse(name, "a finite number")

    def number_or_none(self, name: str) -> float | None:
        return None if self._is_null(name) else self.number(name)

    def whole(self, name: str) -> int:
        value = self.fields.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else self._refuse(name, "an integer")

    def flag(self, name: str) -> bool:
        value = self.fields.get(name)
        return value if isinstance(value, bool) else self._refuse(name, "true or false")

    def part(self, name: str) -> "Payload":
        """The object under `name`."""
        return self._inner(name, self.fields.get(name))

    def parts(self, name: str) -> "list[Payload]":
        """The objects in the list under `name`."""
        value = self.fields.get(name)
        items = value if isinstance(value, list) else self._refuse(name, "a list")
        return [self._inner(f"{name}[{index}]", item) for index, item in enumerate(items)]

    def _is_null(self, name: str) -> bool:
        return name in self.fields and self.fields[name] is None

    def _inner(self, name: str, value: object) -> "Payload":
        fields = value if isinstance(value, dict) else self._refuse(name, "an object")
        return Payload(fields, self.run_id, self.seq, f"{self.path}{name}.")

    def _refuse(self, name: str, wanted: str) -> NoReturn:
        raise _changed(f"{self.path}{name} is not {wanted}", self.run_id, self.seq)


def finite(value: object) -> float | None:
    """A JSON number as a float; None for anything else, and for what no float can hold."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _changed(problem: str, run_id: str, seq: int) -> AuthorError:
    remedy = f"`evalwright verify {run_id}` names what was changed"
    return AuthorError(f"it cannot be read: {problem}", where=f"run {run_id}, event {seq}", remedy=remedy)

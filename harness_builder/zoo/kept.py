"""Outcomes kept in a file as they come, so that a measurement that was cut short goes on where it stopped."""

import errno
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from harness_builder.qualification import Check, Qualification
from harness_builder.zoo.outcome import Outcome
from harness_builder.zoo.specimen import HOME, Specimen

JUDGES = ("harness_builder", "evals", "tools")
"""The packages whose source decides what becomes of a harness."""


class Kept:
    """A file of outcomes, one JSON object a line; those of another gate, harness or task are passed over.

    Raises OSError when the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "not a plain file")
        with path.open("a", encoding="utf-8"):
            pass
        self._known = {_key(each): each for each in _lines(path)}

    def of(self, specimen: Specimen, *, baselines: bool) -> Outcome | None:
        """What was kept of a specimen, if it was measured by the gate as it stands."""
        if (kept := self._known.get(_key(_named(specimen)))) is None or (baselines and not kept["baselines"]):
            return None
        return Outcome(specimen, Qualification(specimen.harness.digest, kept["checks"], kept["seconds"]), kept["baselines"])

    def add(self, outcome: Outcome) -> None:
        row = {
            **_named(outcome.specimen),
            "checks": outcome.qualification.as_json()["checks"],
            "seconds": outcome.qualification.seconds,
            "baselines": outcome.baselines,
        }
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(row)}")  # on a line of its own, whatever a kill has left of the one before


def _named(specimen: Specimen) -> dict[str, Any]:
    return {
        "gate": gate_digest(),
        "specimen": specimen.id,
        "harness": specimen.harness.digest,
        "task": specimen.task.digest,
    }


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row.get(name)) for name in ("gate", "specimen", "harness", "task"))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            row = json.loads(line)
            checks = tuple(Check(**check) for check in row["checks"])
            yield {**row, "checks": checks, "seconds": float(row["seconds"]), "baselines": dict(row["baselines"])}
        except (ValueError, LookupError, TypeError, RecursionError):
            continue  # written in part when the measurement was killed, or by someone else


@cache
def gate_digest() -> str:
    """SHA-256 over the source of the gate and of all that it stands on, without the specimens."""
    digest, root = hashlib.sha256(), HOME.parent.parent
    for package in JUDGES:
        for path in sorted((root / package).rglob("*.py")):
            if not path.is_relative_to(HOME):
                digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()

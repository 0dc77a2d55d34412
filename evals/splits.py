"""The splits of a task: public, validation and test cases, and the seal that keeps the test split shut.

Cases are JSON lines, read strictly: what two programs could read differently (NaN, a key twice, half a surrogate pair)
is refused with file, line and key. A sealed split is encrypted under a key of its own that lives outside the ledger and
the repository; its commitment, SHA-256 over a salt and the cases, is published before the run and checked when the seal
is opened. The salt is sealed too, so the commitment gives no way to test a guess.

Not covered: who may read the key's file. Whoever has it and the ledger can open the seal without leaving an event.
"""

import json
import math
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from evals.ledger.chain import canonical, sha256
from evals.ledger.seals import Seal
from tools.errors import AuthorError, EnvironmentFailure

_KEYS = ("id", "input", "expected", "group")
_SHOWN = 3
"""Examples in an error about many cases."""
_SHORTEST = 20
"""Characters that a case has at the least; shorter lines are no cases."""
_KEY_BYTES, _NONCE_BYTES, _SALT_BYTES = 32, 12, 32


@dataclass(frozen=True)
class Case:
    """One experiment: what goes in and what should come out."""

    id: str
    input: Any
    """Any JSON value; all that a submission sees besides the id."""
    expected: Any
    """Any JSON value; only graders see it."""
    group: str | None = None
    """Cases of a group are not independent of each other; statistics resample whole groups."""

    def as_dict(self) -> dict[str, Any]:
        """The case as it is written in a file; `group` only when it has one."""
        row = {"id": self.id, "input": self.input, "expected": self.expected}
        return row if self.group is None else {**row, "group": self.group}


@dataclass(frozen=True)
class Split:
    """A named, ordered set of cases."""

    name: str
    """public, validation or test."""
    cases: tuple[Case, ...]

    def inputs_jsonl(self) -> bytes:
        """What a submission may see: id and input, one case a line."""
        return _jsonl({"id": case.id, "input": case.input} for case in self.cases)

    def cases_jsonl(self) -> bytes:
        """The whole cases in canonical form; `parse_cases` reads them back."""
        return _jsonl(case.as_dict() for case in self.cases)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of `cases_jsonl()`: the same for the same cases, however their file was formatted."""
        return sha256(self.cases_jsonl())


def parse_cases(data: bytes, where: str) -> tuple[Case, ...]:
    """The cases in JSON lines; blank lines are skipped. AuthorError with line and key; `where` names the file."""
    lines = enumerate(data.split(b"\n"), start=1)
    numbered = [(number, _parse_case(line, f"{where}, line {number}")) for number, line in lines if line.strip()]
    if not numbered:
        raise AuthorError("there are no cases", where=where, remedy='Write one {"id", "input", "expected"} a line.')
    seen: dict[str, int] = {}
    for number, case in numbered:
        first = seen.setdefault(case.id, number)
        if first != number:
            problem = f"the id {case.id!r} is on line {first} too"
            raise AuthorError(problem, where=f"{where}, line {number}", remedy="Give every case its own id.")
    return tuple(case for _, case in numbered)


def check_disjoint(splits: Sequence[Split]) -> None:
    """AuthorError when two splits share an id or an input: what was seen in one would be known in the other."""
    for index, left in enumerate(splits):
        for right in splits[index + 1 :]:
            _check_pair(left, right)


def count_cases(split: Split, content: bytes, *, written: bytes = b"") -> int:
    """How many cases of `split`, or lines of its file `written`, stand in a file, however it spaces and wraps them."""
    lines = {_squeezed(line) for line in written.splitlines()}
    lines |= {_squeezed(line) for case in split.cases for line in _writings(case)}
    needles = {line for line in lines if len(line) >= _SHORTEST}
    if not needles:
        return 0
    length = min(map(len, needles))
    starts: dict[bytes, list[bytes]] = {}
    for needle in needles:
        starts.setdefault(needle[:length], []).append(needle)
    return len(set(_found(starts, length, _squeezed(content))))


def _found(starts: Mapping[bytes, Sequence[bytes]], length: int, content: bytes) -> Iterator[bytes]:
    """The needles in `content`. They are objects, so each begins with a brace; `length` bytes are looked up at once."""
    place = content.find(b"{")
    while place >= 0:
        for needle in starts.get(content[place : place + length], ()):
            if content.startswith(needle, place):
                yield needle
        place = content.find(b"{", place + 1)


def _squeezed(text: bytes) -> bytes:
    """Without white space, and without the backslashes that JSON has when it is a string in other JSON."""
    return text.translate(None, delete=b" \t\r\n\v\f\\")


def _writings(case: Case) -> Iterator[bytes]:
    """A case as programs write it: sorted or in the usual order, in ASCII or not."""
    row = case.as_dict()
    for ascii_only in (False, True):
        for ordered in (False, True):
            yield json.dumps(row, ensure_ascii=ascii_only, sort_keys=ordered).encode()


def _check_pair(left: Split, right: Split) -> None:
    where = f"{left.name} and {right.name}"
    ids = {case.id for case in left.cases}
    shared = [case.id for case in right.cases if case.id in ids]
    if shared:
        raise AuthorError(f"both have the id {_some(shared)}", where=where, remedy="Use an id in one split only.")
    inputs = {canonical(case.input): case.id for case in left.cases}
    twins = [(inputs.get(canonical(case.input)), case.id) for case in right.cases]
    leaked = [f"{one} = {other}" for one, other in twins if one is not None]
    if leaked:
        raise AuthorError(f"both have the input of {_some(leaked)}", where=where, remedy="Draw fresh inputs for one.")


def _some(items: Sequence[str]) -> str:
    rest = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _jsonl(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(canonical(row).encode() + b"\n" for row in rows)


def _parse_case(line: bytes, where: str) -> Case:
    row = _parse_json(line, where)
    if not isinstance(row, dict):
        raise AuthorError("a case must be an object", where=where, remedy='Write {"id", "input", "expected"}.')
    for key in _KEYS[:3]:
        if key not in row:
            raise AuthorError(f"the key {key!r} is missing", where=where, remedy="Add it; null is a value too.")
    if unknown := sorted(row.keys() - set(_KEYS)):
        remedy = f"A case has {', '.join(_KEYS)}; put anything else inside input or expected."
        raise AuthorError(f"the key {unknown[0]!r} is unknown", where=where, remedy=remedy)
    for key in ("id", "group"):
        if key in row and not (isinstance(row[key], str) and row[key]):
            problem = f"{key} is {row[key]!r:.40}, not a non-empty string"
            raise AuthorError(problem, where=where, remedy="Write it as a string.")
    canonical(row, where=where)
    return Case(**row)


def _parse_json(line: bytes, where: str) -> Any:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} is not UTF-8"
        raise AuthorError(problem, where=where, remedy="Save the file as UTF-8.") from None
    try:
        return json.loads(text, parse_constant=_not_a_number, parse_float=_finite, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg}, at column {error.colno}"
        raise AuthorError(problem, where=where, remedy="Write one JSON object a line.") from None
    except RecursionError:
        raise AuthorError("nested too deeply to read", where=where, remedy="Flatten it.") from None
    except ValueError as error:
        raise AuthorError(str(error), where=where, remedy="Write what every JSON reader reads alike.") from None


def _not_a_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text:.40} is too large for a floating-point number")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is there twice")
    return row


class Keyring:
    """A directory of keys, one file a seal, readable by its owner only.

    Giving someone one key file lets them open one seal.
    """

    def __init__(self, directory: Path, *, task_directory: Path | None = None) -> None:
        """AuthorError when `directory` lies where keys get published: in a git work tree or in the task."""
        self.directory = directory.expanduser().resolve()
        _refuse_public_place(self.directory, task_directory)

    @classmethod
    def default(cls, *, task_directory: Path | None = None, environ: Mapping[str, str] = os.environ) -> Self:
        """The keyring in $EVALWRIGHT_HOME/keys, or ~/.config/evalwright/keys."""
        home = environ.get("EVALWRIGHT_HOME") or "~/.config/evalwright"
        try:
            return cls(Path(home) / "keys", task_directory=task_directory)
        except RuntimeError:  # no HOME, and no entry for this user that would tell it
            raise EnvironmentFailure(
                "this user has no home directory to keep keys in", where=home, remedy="Set HOME or EVALWRIGHT_HOME."
            ) from None

    def new_key(self) -> tuple[str, bytes]:
        """Make a key and keep it; its id and its bytes. It is on the disk before anything is sealed with it."""
        key_id, key = f"key-{secrets.token_hex(8)}", secrets.token_bytes(_KEY_BYTES)
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_private(self.directory, "700")
            _write_durably(self.path(key_id), key.hex().encode() + b"\n")
        except OSError as error:
            remedy = "Make room or fix its permissions, or set EVALWRIGHT_HOME."
            raise EnvironmentFailure(f"cannot keep a key: {error}", where=str(self.directory), remedy=remedy) from None
        return key_id, key

    def key(self, key_id: str) -> bytes:
        """The key of this id; EnvironmentFailure naming the path when it is not here."""
        path = self.path(key_id)
        try:
            _check_private(self.directory, "700")
            _check_private(path, "600")
            key = bytes.fromhex(path.read_text(encoding="ascii"))
        except OSError as error:
            remedy = "Ask who sealed the split for this file, or set EVALWRIGHT_HOME to where it is."
            problem = f"the key cannot be read: {error.strerror}"
            raise EnvironmentFailure(problem, where=str(path), remedy=remedy) from None
        except ValueError:
            key = b""
        if len(key) != _KEY_BYTES:
            remedy = "Restore it from a copy."
            raise EnvironmentFailure(f"this is not a key of {_KEY_BYTES} hex bytes", where=str(path), remedy=remedy)
        return key

    def path(self, key_id: str) -> Path:
        """Where a key is kept; the id may come from a ledger that someone else wrote."""
        if not re.fullmatch(r"key-[0-9a-f]{16}", key_id):
            raise AuthorError(f"{key_id!r} is not a key id", remedy="Check the ledger with verify.")
        return self.directory / f"{key_id}.hex"


def _refuse_public_place(directory: Path, task_directory: Path | None) -> None:
    remedy = "Set EVALWRIGHT_HOME to a private directory outside of it."
    if task_directory is not None and directory.is_relative_to(task_directory.resolve()):
        raise AuthorError("keys must not lie in the task's directory", where=str(directory), remedy=remedy)
    for parent in (directory, *directory.parents):
        if (parent / ".git").exists():
            problem = f"keys must not lie in a git work tree, and {parent} is one"
            raise AuthorError(problem, where=str(directory), remedy=remedy)


def _check_private(path: Path, mode: str) -> None:
    actual = path.stat().st_mode & 0o777
    if actual & 0o077:
        problem = f"others can read it (mode {actual:o})"
        raise AuthorError(problem, where=str(path), remedy=f"Run: chmod {mode} {path}")


def _write_durably(path: Path, data: bytes) -> None:
    """Write a new file that survives a power cut: a seal whose key is lost can never be opened."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(handle)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def seal_split(split: Split, keyring: Keyring) -> Seal:
    """Encrypt a split under a new key (AES-256-GCM) and commit to its content."""
    content = secrets.token_bytes(_SALT_BYTES) + split.cases_jsonl()
    commitment = sha256(content)
    key_id, key = keyring.new_key()
    nonce = secrets.token_bytes(_NONCE_BYTES)
    bound = _bound(split.name, len(split.cases), commitment, key_id)
    ciphertext = nonce + AESGCM(key).encrypt(nonce, content, bound)
    return Seal(f"seal-{commitment[:16]}", split.name, len(split.cases), commitment, key_id, ciphertext)


def open_seal(seal: Seal, keyring: Keyring) -> Split:
    """Decrypt a split and check it against its commitment; AuthorError when seal or key were exchanged."""
    nonce, body = seal.ciphertext[:_NONCE_BYTES], seal.ciphertext[_NONCE_BYTES:]
    bound = _bound(seal.split, seal.cases, seal.commitment, seal.key_id)
    key = keyring.key(seal.key_id)
    try:
        content = AESGCM(key).decrypt(nonce, body, bound)
    except (InvalidTag, ValueError):
        problem = f"the seal was changed, or {keyring.path(seal.key_id)} is not its key"
        raise AuthorError(problem, where=seal.id, remedy="Restore the ledger or the key from a copy.") from None
    if sha256(content) != seal.commitment:
        problem = "the cases inside are not those the commitment was made for"
        raise AuthorError(problem, where=seal.id, remedy="Do not trust this seal.")
    return Split(seal.split, parse_cases(content[_SALT_BYTES:], seal.id))


def _bound(split: str, cases: int, commitment: str, key_id: str) -> bytes:
    """What the ciphertext is tied to, so that none of it can be exchanged."""
    return canonical([split, cases, commitment, key_id]).encode()

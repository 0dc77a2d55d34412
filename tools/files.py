"""A tree of files as one immutable value.

Submissions, harnesses, public data and snapshots travel between the host and the containers as `FileTree`s: relative
POSIX paths and bytes, nothing else. Links, devices, owners and modes are dropped on purpose: what is not in here cannot
cross the trust boundary. The digest names the content, so that equal trees are equal facts in the ledger.
"""

import hashlib
import io
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from tools.errors import SandboxLimit, ToolError

MAX_NAME = 255
MAX_FILES = 2_000
MAX_BYTES = 64_000_000


def safe_path(path: str) -> str:
    """Return `path` as a normalised relative POSIX path; ToolError when it is absolute, empty or climbs out."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts or "\0" in path:
        raise ToolError(f"path {path!r} is not inside the tree", remedy="Use a relative path without '..'.")
    try:
        longest = max(len(part.encode()) for part in pure.parts)
    except UnicodeEncodeError:
        raise ToolError(f"path {path!r} is not UTF-8", remedy="Rename the file.") from None
    if longest > MAX_NAME:
        raise ToolError(f"path {path[:80]!r}… has a name of {longest} bytes", remedy=f"At most {MAX_NAME} are allowed.")
    return str(pure)


@dataclass(frozen=True)
class FileTree:
    """Relative POSIX path → bytes, sorted by path."""

    files: Mapping[str, bytes]

    def __post_init__(self) -> None:
        ordered = {safe_path(path): self.files[path] for path in sorted(self.files)}
        for path in ordered:
            for parent in PurePosixPath(path).parents:
                if str(parent) in ordered:
                    raise ToolError(f"{parent} is both a file and a directory", remedy="Rename one of them.")
        object.__setattr__(self, "files", MappingProxyType(ordered))

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __contains__(self, path: object) -> bool:
        return path in self.files

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every path and the SHA-256 of its content; independent of how the tree was stored."""
        whole = hashlib.sha256()
        for path, content in self.files.items():
            whole.update(f"{path}\0{hashlib.sha256(content).hexdigest()}\n".encode())
        return whole.hexdigest()

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(map(len, self.files.values()))

    def text(self, path: str) -> str:
        """The UTF-8 text of one file; ToolError when it is missing or not UTF-8."""
        if path not in self.files:
            raise ToolError(f"{path} is missing", remedy=f"There are: {', '.join(self.files) or 'no files'}.")
        try:
            return self.files[path].decode()
        except UnicodeDecodeError as error:
            raise ToolError(f"{path} is not UTF-8: {error}") from None

    def subtree(self, prefix: str) -> "FileTree":
        """The files below directory `prefix`, relative to it."""
        start = prefix.rstrip("/") + "/"
        return FileTree({path[len(start) :]: data for path, data in self.files.items() if path.startswith(start)})

    def without(self, prefix: str) -> "FileTree":
        """This tree less everything below directory `prefix`."""
        start = prefix.rstrip("/") + "/"
        return FileTree({path: data for path, data in self.files.items() if not path.startswith(start)})

    def under(self, prefix: str) -> "FileTree":
        """This tree moved below directory `prefix`."""
        return FileTree({f"{prefix.rstrip('/')}/{path}": data for path, data in self.files.items()})

    def merged(self, other: "FileTree") -> "FileTree":
        """Both trees; a path in both is taken from `other`."""
        return FileTree({**self.files, **other.files})

    def directories(self) -> list[str]:
        """Names of the directories at the top."""
        return sorted({path.split("/", 1)[0] for path in self.files if "/" in path})

    def write_to(self, directory: Path) -> None:
        """Write every file below `directory`, which is made when missing."""
        for path, content in self.files.items():
            target = directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)

    def to_tar(self) -> bytes:
        """A plain tar with fixed owner, mode and time, so equal trees give equal bytes."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, content in self.files.items():
                entry = tarfile.TarInfo(path)
                entry.size, entry.mode = len(content), 0o755 if path.endswith(".sh") else 0o644
                archive.addfile(entry, io.BytesIO(content))
        return buffer.getvalue()

    @classmethod
    def from_tar(cls, data: bytes, *, max_files: int = MAX_FILES, max_bytes: int = MAX_BYTES) -> "FileTree":
        """Read a tar's regular files; SandboxLimit when there are too many or they are too large."""
        files: dict[str, bytes] = {}
        total = 0
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for entry in archive:
                if not entry.isreg():
                    continue
                total += entry.size
                _check_limits(len(files) + 1, total, max_files, max_bytes)
                content = archive.extractfile(entry)
                files[safe_path(entry.name.removeprefix("./"))] = content.read() if content else b""
        return cls(files)

    @classmethod
    def from_directory(cls, root: Path, *, max_files: int = MAX_FILES, max_bytes: int = MAX_BYTES) -> "FileTree":
        """Read the regular files below `root`; links are left out, caches too."""
        files: dict[str, bytes] = {}
        total = 0
        for path in sorted(root.rglob("*")):
            if path.is_symlink() or not path.is_file() or "__pycache__" in path.parts:
                continue
            total += path.stat().st_size
            _check_limits(len(files) + 1, total, max_files, max_bytes)
            files[path.relative_to(root).as_posix()] = path.read_bytes()
        return cls(files)


def _check_limits(count: int, total: int, max_files: int, max_bytes: int) -> None:
    if count > max_files:
        raise SandboxLimit(f"more than {max_files} files", remedy="Keep only what is needed.")
    if total > max_bytes:
        raise SandboxLimit(f"more than {max_bytes} bytes of files", remedy="Keep only what is needed.")

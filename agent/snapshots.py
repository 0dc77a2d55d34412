"""What the workspace holds, kept in the ledger as it changes, so that a fresh box can take its place.

After every tool call the small files that changed are kept; at milestones and every ten minutes the large ones too. A
file's content is a blob, so the same bytes are kept once; an event says only what changed since the one before. What is
too large even then is named and not kept. Links and empty folders are not kept, nor is anything outside of /workspace.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agent.journal import Journal
from tools.errors import ToolError
from tools.files import FileTree
from tools.sandbox import WORKSPACE, Sandbox, Stamp

KIND = "workspace.kept"
MAX_FILES = 20_000
SMALL_BYTES = 200_000
"""A file no larger is kept after every call that changed it."""
CALL_BYTES = 4_000_000
"""What is kept after one call, all files together."""
ALL_BYTES = 256_000_000
"""What is kept at a milestone."""
EVERY_SEC = 600.0
RESTORING_SEC = 60.0


@dataclass
class Snapshots:
    """Follows one workspace and its ledger."""

    journal: Journal
    box: Sandbox
    _stamps: dict[str, Stamp] = field(default_factory=dict)
    """Of every file, as it was when it was last kept, or given."""
    _left: set[str] = field(default_factory=set)
    """Files that had changed at the last milestone and were too large."""
    _everything_at: float = field(default_factory=time.monotonic)

    def begin(self) -> None:
        """Take what is in the box for known: the task's own files need not be kept."""
        self._stamps = self.box.stamps(WORKSPACE, max_files=MAX_FILES)

    def take(self, *, milestone: bool = False) -> None:
        """Keep what changed; the large files too at a milestone, or when it is time."""
        everything = milestone or time.monotonic() - self._everything_at >= EVERY_SEC
        try:
            stamps = self.box.stamps(WORKSPACE, max_files=MAX_FILES)
        except ToolError as error:  # more files than are kept, or /workspace itself made unreadable
            self._tell_once(str(error))
            return
        changed = {name: stamp for name, stamp in stamps.items() if self._stamps.get(name) != stamp}
        gone = sorted(self._stamps.keys() - stamps.keys())
        chosen = dict(_within(changed, ALL_BYTES if everything else CALL_BYTES, None if everything else SMALL_BYTES))
        if everything:
            self._everything_at = time.monotonic()
        kept = self._fetched(chosen)
        left = sorted(changed.keys() - kept.keys()) if everything else []
        if kept or gone or set(left) - self._left:
            self.journal.append(KIND, {"files": kept, "gone": gone, "left": left, "milestone": everything})
        self._left = set(left) if everything else self._left - kept.keys()
        for name in gone:
            del self._stamps[name]
        self._stamps |= {name: chosen[name] for name in kept}

    def restore(self) -> list[str]:
        """Fill a fresh box with what was kept last; the files that were changed and could not be kept."""
        files: dict[str, tuple[str, int] | None] = {}
        for _, payload in self.journal.all(KIND):
            files |= payload["files"] | dict.fromkeys((*payload["gone"], *payload["left"]))
            self._left = set(payload["left"]) if payload["milestone"] else self._left - payload["files"].keys()
        self._put({name: held for name, held in files.items() if held}, [name for name in files if not files[name]])
        self.begin()
        return sorted(self._left)

    def _fetched(self, chosen: Mapping[str, Stamp]) -> dict[str, list[object]]:
        """Path → the blob that holds it now, and whether it may be executed."""
        if not chosen:
            return {}
        room = sum(stamp.size for stamp in chosen.values()) + CALL_BYTES  # they may have grown in between
        try:
            tree = self.box.get(WORKSPACE, names=list(chosen), max_files=MAX_FILES, max_bytes=room)
        except ToolError:
            return {}  # changed beyond measure while it was looked at; the next call sees it again
        blobs = self.journal.ledger.put_blobs(list(tree.files.values()))
        return {name: [blob, chosen[name].executable] for name, blob in zip(tree, blobs, strict=True) if name in chosen}

    def _put(self, files: Mapping[str, tuple[str, int]], gone: Sequence[str]) -> None:
        self._each("rm -f", gone)
        get_blob = self.journal.ledger.get_blob
        self.box.put(FileTree({name: get_blob(blob) for name, (blob, _) in files.items()}), WORKSPACE)
        self._each("chmod +x", [name for name, (_, executable) in files.items() if executable])

    def _each(self, command: str, names: Sequence[str]) -> None:
        if names:
            listed = "".join(f"./{name}\0" for name in names).encode()
            self.box.run(["xargs", "-0", *command.split()], timeout=RESTORING_SEC, stdin=listed)

    def _tell_once(self, problem: str) -> None:
        newest = self.journal.last("workspace.unkept")
        if newest is None or newest["reason"] != problem:
            self.journal.append("workspace.unkept", {"reason": problem})


def _within(changed: Mapping[str, Stamp], room: int, largest: int | None) -> Iterator[tuple[str, Stamp]]:
    """As many of the files as fit, the small ones first, none larger than `largest`."""
    for name, stamp in sorted(changed.items(), key=lambda item: (item[1].size, item[0])):
        room -= stamp.size
        if room < 0 or (largest is not None and stamp.size > largest):
            return
        yield name, stamp

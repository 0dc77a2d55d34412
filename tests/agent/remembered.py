"""The command with a gate that remembers: a harness it has judged in these tests is not judged again.

The verdict is the real gate's; only the half minute for the same evidence on the same harness of the same task is
saved, in every test that is about something else. Run as a program this is `evalwright`; the environment names the
folder of verdicts.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from agent.cli import main
from harness_builder.gate import Gate
from harness_builder.qualification import Check, Qualification
from tools.files import FileTree

FOLDER = "EVALWRIGHT_TEST_VERDICTS"
Qualify = Callable[[Gate, FileTree], Qualification]


def remembering(qualify: Qualify, folder: Path) -> Qualify:
    """As `qualify`, with what it says kept in the folder."""

    def remembered(gate: Gate, tree: FileTree) -> Qualification:
        subject = (gate.task.digest, tree.digest, gate.grader.image, str(gate._candid), str(gate._known_test))
        path = folder / f"{sha256('|'.join(subject).encode()).hexdigest()}.json"
        if path.exists():
            said = json.loads(path.read_text())
            return Qualification(said["harness"], tuple(Check(**check) for check in said["checks"]), said["seconds"])
        qualification = qualify(gate, tree)
        if qualification.verdict != "invalid":
            with NamedTemporaryFile("w", dir=folder, delete=False) as file:
                json.dump(asdict(qualification), file)
            Path(file.name).replace(path)
        return qualification

    return remembered


if __name__ == "__main__":
    Gate.qualify = remembering(Gate.qualify, Path(os.environ[FOLDER]))  # type: ignore[method-assign]
    main()

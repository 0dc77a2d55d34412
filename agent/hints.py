"""What to type next, in a form that works when it is typed here.

`evalwright` is on the PATH of those who activated the environment; others started it by its path, and need the path.
"""

import shlex
import shutil
import sys
from pathlib import Path

NAME = "evalwright"
DEFAULT_DB = Path("runs.db")


def called() -> str:
    """The command as it can be typed from the working directory."""
    script, found = Path(sys.executable).with_name(NAME), shutil.which(NAME)
    if not script.is_file() or (found is not None and Path(found).samefile(script)):
        return NAME
    here = Path.cwd()
    return shlex.quote(str(script.relative_to(here) if script.is_relative_to(here) else script))


def to_type(command: str, run_id: str, db: Path = DEFAULT_DB) -> str:
    """The line that does `command` to a run of this ledger."""
    at = "" if db.absolute() == DEFAULT_DB.absolute() else f" --db {shlex.quote(str(db))}"
    return f"{called()} {command} {shlex.quote(run_id)}{at}"


def spelled(text: str) -> str:
    """A message whose `evalwright …` can be typed as they stand."""
    return text.replace(f"`{NAME} ", f"`{called()} ") if f"`{NAME} " in text else text

"""The tricks that fool a grader which imports the submission, and what they get here: nothing.

Each trick is a wrong submission. `NAIVE` is the control: pytest as a grader, in one process with the submission, which
every one of them fools. Two more get by any wall, as long as they are asked what they have seen: a table of the
public cases, and a reader of every file in reach. Fresh cases stop those.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evals.grading import Grader
from evals.harness import Harness
from evals.score import Score, ScoreState
from evals.task import Task
from tools.files import FileTree

AT_ONCE = 3
NAIVE = {
    "test_naive.py": """\
import json
from solution import double
from compare import same
def test_doubles():
    for case in json.load(open("cases.json")):
        expected = case["expected"]
        assert same(double(case["input"]["x"]), expected)
""",
    "compare.py": "def same(a, b):\n    return a == b\n",
}
WRONG = "def double(x):\n    return -1\n"
SCORED_ZERO, FAILED = (ScoreState.SCORED, 0.0), (ScoreState.SUBMISSION_FAILED, None)
TRICKS: dict[str, tuple[dict[str, str], tuple[ScoreState, float | None]]] = {
    "equal to everything": (
        {
            "solution.py": """\
class Same:
    def __eq__(self, other):
        return True
def double(x):
    return Same()
"""
        },
        SCORED_ZERO,
    ),
    "exit status 0 from the function": ({"solution.py": "import os\ndef double(x):\n    os._exit(0)\n"}, SCORED_ZERO),
    "exit status 0 at import": ({"solution.py": "import os\nos._exit(0)\n"}, FAILED),
    "exit status 0 at the end": (
        {"solution.py": f"import atexit, os\natexit.register(os._exit, 0)\n{WRONG}"},
        SCORED_ZERO,
    ),
    "skip": ({"solution.py": "import pytest\ndef double(x):\n    pytest.skip('not now')\n"}, FAILED),
    "conftest hook": (
        {
            "solution.py": WRONG,
            "conftest.py": """\
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
""",
        },
        SCORED_ZERO,
    ),
    "patched pytest": (
        {"solution.py": f"import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n{WRONG}"},
        SCORED_ZERO,
    ),
    "reading the caller's frame": (
        {
            "solution.py": """\
import sys
def double(x):
    return sys._getframe(1).f_locals.get("expected", -1)
"""
        },
        SCORED_ZERO,
    ),
    "swapped module": (
        {
            "solution.py": f"""\
import sys, types
sys.modules["compare"] = types.SimpleNamespace(same=lambda a, b: True)
{WRONG}"""
        },
        SCORED_ZERO,
    ),
    "ini file": ({"solution.py": WRONG, "pytest.ini": "[pytest]\naddopts = --collect-only\n"}, SCORED_ZERO),
}
TABLE = "def double(x):\n    return {1: 2, 2: 4, 3: 6, 4: 8}.get(x, -1)\n"
READER = """\
import json, os
def rows():
    for folder, _, names in os.walk("/"):
        if folder.split("/")[1] not in ("proc", "sys", "dev", "usr"):
            yield from (line for name in names for line in lines_of(os.path.join(folder, name)))
    yield from os.environ.values()
def lines_of(path):
    try:
        return open(path, errors="replace").read(1_000_000).splitlines() if os.path.isfile(path) else []
    except OSError:
        return []
FOUND = {}
for row in rows():
    if '"expected"' in row:
        try:
            FOUND[json.loads(row)["input"]["x"]] = json.loads(row)["expected"]
        except (ValueError, LookupError, TypeError):
            pass
def double(x):
    return FOUND.get(x, -1)
"""


def naive_grader_accepts(files: dict[str, str], task: Task, directory: Path) -> bool:
    """pytest in the submission's own folder, judged by its exit status."""
    expectations = json.dumps([case.as_dict() for case in task.validation.cases])
    for name, text in {**NAIVE, "cases.json": expectations, **files}.items():
        (directory / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_naive.py"]
    environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, check=False, timeout=120)
    return done.returncode == 0


def test_the_naive_grader_tells_right_from_wrong_when_nobody_tricks_it(doubling: Task, tmp_path: Path) -> None:
    assert naive_grader_accepts({"solution.py": "def double(x):\n    return 2 * x\n"}, doubling, tmp_path)
    assert not naive_grader_accepts({"solution.py": WRONG}, doubling, tmp_path)


@pytest.mark.parametrize("name", TRICKS)
def test_the_trick_fools_the_naive_grader(name: str, doubling: Task, tmp_path: Path) -> None:
    assert naive_grader_accepts(TRICKS[name][0], doubling, tmp_path)


@pytest.fixture(scope="module")
def scores(
    grader: Grader, doubling: Task, harness: Harness, submission_of: Callable[..., FileTree]
) -> dict[str, Score]:
    """What each trick gets on validation from the grader there is."""

    def grade(files: dict[str, str]) -> Score:
        more = {name: text for name, text in files.items() if name != "solution.py"}
        return grader.grade(submission_of(files["solution.py"], **more), harness, doubling.validation)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(TRICKS, pool.map(grade, (files for files, _ in TRICKS.values())), strict=True))


@pytest.mark.parametrize("name", TRICKS)
def test_the_trick_gains_nothing_across_two_containers(name: str, scores: dict[str, Score]) -> None:
    score = scores[name]
    assert (score.state, score.value) == TRICKS[name][1]
    assert not score.accepted


@pytest.mark.parametrize("solution", [TABLE, READER], ids=["table of the public cases", "reader of every file"])
def test_what_was_seen_is_right_and_what_is_fresh_is_not(
    solution: str, grader: Grader, doubling: Task, harness: Harness, submission_of: Callable[..., FileTree]
) -> None:
    submission = submission_of(solution)
    public, validation = (grader.grade(submission, harness, split) for split in (doubling.public, doubling.validation))
    assert (public.state, public.value, public.accepted) == (ScoreState.SCORED, 1.0, True)
    assert (validation.state, validation.value, validation.accepted) == (ScoreState.SCORED, 0.0, False)

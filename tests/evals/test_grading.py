"""Each outcome of a grading has its state, and whoever brought it about answers for it.

Submissions and harnesses misbehave in real containers, a few at a time; results that a harness could forge are tried
many at once with a box that hands them over (`ForgedBox`).
"""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Self

import pytest

from evals import grading
from evals.grading import Grader, Grading
from evals.harness import Harness, parse_harness
from evals.ledger.chain import canonical
from evals.score import Score, ScoreState
from evals.splits import Split
from evals.task import Task
from tools.docker import DockerSandboxes
from tools.errors import SandboxLimit
from tools.files import FileTree
from tools.sandbox import BoxSpec, Completed

AT_ONCE = 3
RIGHT = {"public-0": 2, "public-1": 4, "public-2": 6, "public-3": 8}
Change = Callable[..., Harness]


@pytest.fixture(scope="module")
def changed(harness_tree: FileTree) -> Change:
    """The doubling harness with some files replaced."""

    def change(*, toml: tuple[str, str] = ("", ""), metrics: str = "", checks: str = "", more: str = "") -> Harness:
        given = {"metrics.py": metrics, "test_doubling.py": checks, "test_more.py": more}
        files = {name: text for name, text in given.items() if text}
        files["harness.toml"] = harness_tree.text("harness.toml").replace(*toml)
        return parse_harness(harness_tree.merged(FileTree({name: text.encode() for name, text in files.items()})))

    return change


def all_of(act: Callable[[Any], Score], items: Mapping[str, Any]) -> dict[str, Score]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(items, pool.map(act, items.values()), strict=True))


# ---- many in one box


LEAVES_A_PIPE = """\
import os

os.mkfifo("metrics.json")
os._exit(0)
"""
LOOKS_AROUND = """\
import gc


def score(case, output):
    seen = sum(isinstance(each, dict) and "files" in each and "environment" in each for each in gc.get_objects())
    return {"score": 1.0 if seen <= 1 else 0.0}
"""
IMPORTS_ODD_THINGS = """\
if False:
    import this
    import lib2to3.__main__


def score(case, output):
    return {"score": float(output == case["expected"])}
"""
SLOW = """\
import time

time.sleep(2)


def score(case, output):
    return {"score": 1.0}
"""


def graded_together(grader: Grader, harness: Harness, split: Split, count: int = 3) -> list[Score]:
    outputs = {case.id: case.expected for case in split.cases}
    return grader.judge_each([Grading(outputs, split)] * count, harness)


def test_a_pipe_in_place_of_a_result_is_not_waited_for(grader: Grader, doubling: Task, changed: Change) -> None:
    for score in graded_together(grader, changed(metrics=LEAVES_A_PIPE), doubling.validation):
        assert (score.state, "left no result" in score.detail) == (ScoreState.HARNESS_INVALID, True)


def test_a_harness_does_not_see_what_else_is_graded(grader: Grader, doubling: Task, changed: Change) -> None:
    scores = graded_together(grader, changed(metrics=LOOKS_AROUND), doubling.validation)
    assert [score.value for score in scores] == [1.0] * 3


def test_what_a_module_does_when_it_is_imported_spoils_no_results(
    grader: Grader, doubling: Task, changed: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = changed(metrics=IMPORTS_ODD_THINGS)
    assert {"this", "lib2to3.__main__"} <= set(harness.imports)
    monkeypatch.setattr(Grader, "judge", lambda *_: pytest.fail("each had to be graded by itself"))
    assert [score.value for score in graded_together(grader, harness, doubling.validation)] == [1.0] * 3


def test_many_slow_gradings_are_cut_short_together(
    grader: Grader, doubling: Task, changed: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seconds each, and nine seconds for all twenty: most do not begin."""
    monkeypatch.setattr(grading, "BATCH_SEC", 0.0)
    harness = replace(changed(metrics=SLOW), grading_sec=3.0)
    scores = graded_together(grader, harness, doubling.validation, count=20)
    late = [score.detail for score in scores if score.state is ScoreState.HARNESS_INVALID]
    assert len(late) >= 10 and set(late) == {"grading ran longer than 3 s"}


# ---- scored


CLOSENESS = """\
def score(case, output):
    return {"score": max(0.0, 1 - abs(output - case["expected"]) / 10), "exact": output == case["expected"]}
"""
ERROR = """\
def score(case, output):
    return {"error": min(10, abs(output - case["expected"]))}
"""
MINIMIZED = '[metric]\nname = "error"\ndirection = "minimize"\nbounds = [0.0, 10.0]\naccept = 2.0\n'
PARTLY_RIGHT = {"public-0": 2, "public-1": 9, "public-2": -2}  # expected 2, 4, 6; nothing for public-3


def test_a_right_submission_is_scored_and_accepted(
    grader: Grader, doubling: Task, right: FileTree, harness: Harness
) -> None:
    score = grader.grade(right, harness, doubling.validation)
    assert (score.state, score.value, score.accepted) == (ScoreState.SCORED, 1.0, True)
    assert score.checks == {"test_doubles": True}
    assert [(case.id, case.metrics, case.missing) for case in score.cases] == [
        (f"validation-{number}", {"score": 1.0}, False) for number in range(4)
    ]
    assert score.outputs == {"validation-0": 1402, "validation-1": 1404, "validation-2": 1406, "validation-3": 1408}
    assert score.seconds > 0


def test_the_mean_is_over_all_cases_and_a_missing_output_has_the_worst_score(
    grader: Grader, doubling: Task, changed: Change
) -> None:
    """Closeness 1, 1 - 5/10, 1 - 8/10 and 0 for the missing one: a mean of 1.7 / 4."""
    score = grader.judge(PARTLY_RIGHT, changed(metrics=CLOSENESS), doubling.public)
    assert (score.state, score.accepted, score.checks) == (ScoreState.SCORED, False, {"test_doubles": False})
    assert score.value == pytest.approx(0.425)
    assert [case.missing for case in score.cases] == [False, False, False, True]
    assert "3 more items, first extra item: 'public-1'" in score.messages["test_doubles"]
    assert score.means == {"score": pytest.approx(0.425), "exact": pytest.approx(1 / 3)}


def test_where_less_is_better_a_missing_output_has_the_upper_bound(
    grader: Grader, doubling: Task, changed: Change
) -> None:
    """Errors 0, 5, 8 and 10 for the missing one: a mean of 23 / 4."""
    toml = MINIMIZED + '[requirements]\nR1 = ["test_doubles"]\n'
    minimizing = changed(toml=(changed().tree.text("harness.toml"), toml), metrics=ERROR)
    score = grader.judge(PARTLY_RIGHT, minimizing, doubling.public)
    assert (score.state, score.value, score.accepted) == (ScoreState.SCORED, 5.75, False)
    assert score.cases[3].metrics == {"error": 10.0}


def test_a_good_mean_is_not_accepted_when_a_check_fails(grader: Grader, doubling: Task, changed: Change) -> None:
    """Mean 3/4 reaches the threshold of 0.7, and the check finds the wrong output."""
    score = grader.judge({**RIGHT, "public-3": 7}, changed(toml=("accept = 1.0", "accept = 0.7")), doubling.public)
    assert (score.value, score.checks, score.accepted) == (0.75, {"test_doubles": False}, False)


# ---- submission_failed


SUBMISSIONS = {
    "crash": ("echo working; echo broken >&2; exit 7", "reproduce.sh ended with status 7"),
    "memory": ("exec python3 -c 'bytearray(10**9)'", "reproduce.sh ended with status "),
    "no outputs": ("true", "no usable $OUT/outputs.jsonl: "),
    "link to a file": ("ln -s /etc/passwd $OUT/outputs.jsonl", "no usable $OUT/outputs.jsonl: "),
    "link to the inputs": ("ln -s $CASES $OUT/outputs.jsonl", "no usable $OUT/outputs.jsonl: "),
    "directory": ("mkdir $OUT/outputs.jsonl", "$OUT/outputs.jsonl is not a plain file"),
    "pipe": ("mkfifo $OUT/outputs.jsonl", "no usable $OUT/outputs.jsonl: "),
    "10 GB": ("head -c 10G /dev/zero > $OUT/outputs.jsonl; exit 0", "more than 32000000 bytes"),
    "a million files": (
        "mkdir $OUT/outputs.jsonl; for ((i = 0; i < 1000000; i++)); do : > $OUT/outputs.jsonl/$i || exit 0; done",
        "more than 1 files",
    ),
    "not UTF-8": (r"printf '\xff\xfe' > $OUT/outputs.jsonl", "outputs.jsonl is not UTF-8 at byte 0"),
}


@pytest.fixture(scope="module")
def failed(grader: Grader, doubling: Task, harness: Harness) -> dict[str, Score]:
    trees = {name: FileTree({"reproduce.sh": script.encode()}) for name, (script, _) in SUBMISSIONS.items()}
    return all_of(lambda tree: grader.grade(tree, harness, doubling.public), trees)


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_submission_that_does_not_deliver_has_failed_and_has_no_value(failed: dict[str, Score], name: str) -> None:
    score = failed[name]
    assert (score.state, score.value, score.accepted) == (ScoreState.SUBMISSION_FAILED, None, False)
    assert SUBMISSIONS[name][1] in score.detail
    canonical(score.summary())  # the ledger can keep it


def test_what_a_failed_submission_printed_is_kept(failed: dict[str, Score]) -> None:
    assert failed["crash"].log == "working\n\nbroken"


def test_nothing_of_a_linked_file_comes_back(failed: dict[str, Score]) -> None:
    assert "root:" not in repr(failed["link to a file"])


def test_a_submission_that_takes_too_long_has_failed(grader: Grader, doubling: Task, harness: Harness) -> None:
    slow = FileTree({"reproduce.sh": b"echo started; sleep 60"})
    score = replace(grader, submission_sec=0.5).grade(slow, harness, doubling.public)
    assert (score.state, score.value) == (ScoreState.SUBMISSION_FAILED, None)
    assert (score.detail, score.log) == ("reproduce.sh ran longer than 0.5 s", "started")


def test_a_submission_without_reproduce_sh_or_too_large_has_failed(
    grader: Grader, doubling: Task, harness: Harness
) -> None:
    nothing = grader.grade(FileTree({"main.py": b""}), harness, doubling.public)
    assert (nothing.state, nothing.detail) == (ScoreState.SUBMISSION_FAILED, "the submission has no reproduce.sh")
    large = grader.grade(FileTree({"reproduce.sh": b"", "data": bytes(40_000_000)}), harness, doubling.public)
    assert large.state == ScoreState.SUBMISSION_FAILED
    assert "the submission does not fit into the container: " in large.detail


# ---- harness_invalid


FAIL_TO_SCORE = "def score(case, output):\n    {}\n"
LYING = """\
import json, os, signal
def test_doubles():
    with open("../result.json", "w") as file:
        json.dump({"metrics": {"cases": "all"}, "checks": {"reports": [1], "status": 0}}, file)
    os.kill(os.getppid(), signal.SIGKILL)
"""
SLEEPING = "import time\ndef test_doubles():\n    time.sleep(60)\n"
HARNESSES: dict[str, tuple[dict[str, Any], str]] = {
    "no checks": ({"checks": "def check_doubles(): pass\n"}, "no check was collected"),
    "skipped check": (
        {"checks": "import pytest\n@pytest.mark.skip\ndef test_doubles(): pass\n"},
        "check test_doubles is skipped; a check must pass or fail: ",
    ),
    "skipped file": (
        {"checks": "import pytest\npytest.skip('later', allow_module_level=True)\ndef test_doubles(): pass\n"},
        "no check was collected: ",
    ),
    "one file of two skipped": (
        {"more": "import pytest\npytest.skip('later', allow_module_level=True)\n"},
        "a file of checks fails or skips itself: test_more.py: ",
    ),
    "expected failure": (
        {"checks": "import pytest\n@pytest.mark.xfail\ndef test_doubles(): assert False\n"},
        "check test_doubles is skipped; a check must pass or fail",
    ),
    "syntax error": ({"checks": "def test_doubles(:\n"}, "a check cannot be collected: "),
    "syntax error in the metrics": ({"metrics": "def score(:\n"}, "the metrics left no result: metrics.py cannot be"),
    "score raises": (
        {"metrics": FAIL_TO_SCORE.format("raise ValueError('mine')")},
        "the metrics left no result: score() raised on case public-0 with output 2\nTraceback",
    ),
    "score is NaN": (
        {"metrics": FAIL_TO_SCORE.format("return {'score': float('nan')}")},
        "a score is no finite number: score() gave score = nan for case public-0",
    ),
    "score out of bounds": (
        {"metrics": FAIL_TO_SCORE.format("return {'score': 1.01}")},
        "a score is out of bounds: score() gave 1.01 for case public-0, outside its bounds [0.0, 1.0]",
    ),
    "a check ends the process": (
        {"checks": "import os\ndef test_doubles(): os._exit(0)\n"},
        "the checks left no result: the checks ended with status 0 and left no result",
    ),
    "the metrics end the process": (
        {"metrics": FAIL_TO_SCORE.format("import os; os._exit(0)")},
        "the metrics left no result: the metrics ended with status 0 and left no result",
    ),
    "a check kills its parent": (
        {"checks": "import os\ndef test_doubles(): os.kill(os.getppid(), 9)\n"},
        "grading left no readable result (status 137): ",
    ),
    "a check ends the session": (
        {"checks": "import pytest\ndef test_doubles(): pytest.exit('enough')\n"},
        "a check cannot be collected",
    ),
    "forged result": ({"checks": LYING}, "the checks left a malformed result"),
    "no such check": (
        {"toml": ('["test_doubles"]', '["test_doubles", "test_halves"]')},
        "harness.toml maps requirements to checks that do not exist: test_halves",
    ),
    "too slow": (
        {"toml": ("grading_sec = 30", "grading_sec = 1"), "checks": SLEEPING},
        "grading ran longer than 1 s",
    ),
}


@pytest.fixture(scope="module")
def invalid(grader: Grader, doubling: Task, changed: Change) -> dict[str, Score]:
    harnesses = {name: changed(**changes) for name, (changes, _) in HARNESSES.items()}
    return all_of(lambda harness: grader.judge(RIGHT, harness, doubling.public), harnesses)


@pytest.mark.parametrize("name", HARNESSES)
def test_a_harness_that_does_not_judge_is_invalid_and_gives_no_value(invalid: dict[str, Score], name: str) -> None:
    score = invalid[name]
    assert (score.state, score.value, score.accepted) == (ScoreState.HARNESS_INVALID, None, False)
    assert score.detail.startswith(HARNESSES[name][1])
    canonical(score.summary())


# ---- expectations stay where they are


READ_CASES = "import json, pytest\nWANTED = [json.loads(line)['expected'] for line in open('../cases.jsonl')]\n"
PARAMETRIZED = READ_CASES + (
    "@pytest.mark.parametrize('want', WANTED, ids=[f'is::{want}' for want in WANTED])\n"
    "def test_doubles(want): assert want == 1402\n"
)
NAMED_AFTER = READ_CASES + "for want in WANTED: globals()[f'test_is_{want}'] = lambda: None\n"
WANTED = ("1402", "1404", "1406", "1408")


def told(score: Score) -> str:
    """What is recorded of a score on validation, which the agent may come to hear."""
    return repr(score.summary())


def test_parameters_of_a_check_do_not_come_back_in_its_name(grader: Grader, doubling: Task, changed: Change) -> None:
    score = grader.judge({}, changed(checks=PARAMETRIZED), doubling.validation)
    assert (score.state, score.checks) == (ScoreState.SCORED, {"test_doubles": False})
    assert [want for want in WANTED if want in told(score)] == []


@pytest.mark.parametrize(
    "change",
    [
        {"checks": NAMED_AFTER},
        {"metrics": "def score(case, output):\n    raise ValueError(case)\n"},
        {"metrics": "def score(case, output):\n    return {'score': case['expected']}\n"},
    ],
    ids=["check names", "a traceback", "a score out of bounds"],
)
def test_an_invalid_harness_is_not_quoted_on_a_split_the_agent_does_not_know(
    grader: Grader, doubling: Task, changed: Change, change: dict[str, str]
) -> None:
    score = grader.judge({"validation-0": 0}, changed(**change), doubling.validation)
    assert score.state == ScoreState.HARNESS_INVALID
    assert score.detail != ""
    assert [want for want in WANTED if want in told(score)] == []


# ---- results a harness could forge


class ForgedBox:
    """Boxes in which the grader seems to have run, and left these bytes; or nothing, and this error."""

    def __init__(self, left: bytes | Exception) -> None:
        self.left = left

    def open(self, spec: BoxSpec) -> Self:
        return self

    def put(self, tree: FileTree, dest: str) -> None:
        pass

    def run(self, argv: object, **how: object) -> Completed:
        return Completed(0, b"", b"", 0, 0, False, 0.0)

    def get(self, path: str, **limits: int) -> FileTree:
        if isinstance(self.left, Exception):
            raise self.left
        return FileTree({"result.json": self.left})

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass


def result(*, cases: Any = None, checks: Any = None, **more: Any) -> bytes:
    """A well-formed result that gives everything the full score, but for what is replaced."""
    report = {"test": "test_doubling.py::test_doubles", "outcome": "passed", "message": ""}
    scores = {case: {"score": 1.0} for case in RIGHT}
    whole = {
        "metrics": {"cases": scores if cases is None else cases},
        "checks": {"reports": [report], "status": 0} if checks is None else checks,
    }
    return json.dumps({**whole, **more}).encode()


def with_report(**changes: Any) -> bytes:
    report = {"test": "test_doubling.py::test_doubles", "outcome": "failed", "message": "", **changes}
    return result(checks={"reports": [report], "status": 1})


def with_score(text: str) -> bytes:
    """public-0 has this score, written as it is."""
    return result().replace(b'"public-0": {"score": 1.0}', f'"public-0": {{"score": {text}}}'.encode())


FORGED: dict[str, bytes | Exception] = {
    "empty": b"",
    "a list": b"[]",
    "null": b"null",
    "not UTF-8": b"\xff\xfe",
    "nested": b"[" * 100_000,
    "too large": SandboxLimit("more than 32000000 bytes of files"),
    "no metrics": result(metrics=None),
    "no cases": result(metrics={}),
    "cases as a list": result(cases=[]),
    "a case is missing": result(cases={}),
    "a score is missing": with_score("{}"),
    "a score of null": with_score("null"),
    "a score of NaN": with_score("NaN"),
    "a score of infinity": with_score("Infinity"),
    "a score beyond a double": with_score("1e999"),
    "an integer beyond a double": with_score("1" + "0" * 400),
    "an integer of 5000 digits": with_score("1" * 5000),
    "another metric is NaN": with_score('1.0, "other": NaN'),
    "no checks": result(checks=[]),
    "no reports": result(checks={"status": 0}),
    "reports of numbers": result(checks={"reports": [1], "status": 0}),
    "reports that are empty": result(checks={"reports": [{}], "status": 0}),
    "no status": result(checks={"reports": []}),
    "a status that is a list": result(checks={"reports": [], "status": []}),
    "no report": result(checks={"reports": [], "status": 0}),
    "a name that is a number": with_report(test=1),
    "a name nobody wrote": with_report(test="test_doubling.py::test_else"),
    "no name": with_report(test=""),
    "an outcome of its own": with_report(outcome="excellent"),
    "a message that is a list": with_report(message=[]),
    "half a surrogate pair": with_report(message="\ud800"),
    "half a surrogate pair in an error": result(checks={"error": "\ud800"}),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_malformed_result_is_the_harness_fault(name: str, doubling: Task, harness: Harness) -> None:
    score = Grader(ForgedBox(FORGED[name]), "none", "forged").judge(RIGHT, harness, doubling.public)
    assert (score.state, score.value) == (ScoreState.HARNESS_INVALID, None)
    canonical(score.summary())


def test_a_well_formed_result_is_taken_and_long_messages_are_cut(doubling: Task, harness: Harness) -> None:
    good = Grader(ForgedBox(result()), "none", "forged").judge(RIGHT, harness, doubling.public)
    assert (good.state, good.value, good.accepted) == (ScoreState.SCORED, 1.0, True)
    long = Grader(ForgedBox(with_report(message="x" * 10**6)), "none", "forged").judge(RIGHT, harness, doubling.public)
    assert (long.state, long.accepted, len(long.messages["test_doubles"])) == (ScoreState.SCORED, False, 2_500)


# ---- infrastructure_failed


def test_without_an_engine_nobody_is_to_blame(
    grader: Grader, doubling: Task, right: FileTree, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
    unreachable = replace(grader, sandboxes=DockerSandboxes())
    for score in (unreachable.grade(right, harness, doubling.public), unreachable.judge({}, harness, doubling.public)):
        assert (score.state, score.value, score.accepted) == (ScoreState.INFRASTRUCTURE_FAILED, None, False)
        assert score.detail.startswith("docker: the Docker engine does not answer (")
        assert score.detail.endswith("). Start Docker (`docker info` must answer) or point DOCKER_HOST at it.")


def test_a_box_that_never_greets_is_nobodys_fault(
    grader: Grader, doubling: Task, right: FileTree, harness: Harness
) -> None:
    """The image's Python breaks before any untrusted code is in the box."""
    broken = replace(grader, sandboxes=DockerSandboxes(server="raise SystemExit(3)"))
    score = broken.grade(right, harness, doubling.public)
    assert score.state == ScoreState.INFRASTRUCTURE_FAILED
    assert "its server ended with code 3" in score.detail

"""The gate qualifies what is sound and refuses, for the right reason, each kind of harness that is not.

Every flawed harness is the sound one with one thing changed. They are put through the gate side by side once; the tests
then look at the verdicts.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from evals.task import Task, load_task
from harness_builder.gate import Gate
from harness_builder.qualification import Check, Qualification
from tools.files import FileTree

TASK: Task = load_task("pass_at_k")
assert TASK.reference is not None and TASK.oracle is not None
ORACLE = TASK.oracle
REFERENCE = TASK.reference.tree
SOUND = TASK.reference.grading_tree
"""The reference without its own probes and variants: the same harness, sooner judged."""

COMPLETE = """
def test_all(cases, outputs):
    assert len(outputs) == len(cases)
"""
MANIFEST = """
[metric]
name = "score"
bounds = [0.0, 1.0]
accept = 1.0
[requirements]
R1 = ["test_all"]
R2 = ["test_all"]
R3 = ["test_all"]
[timeouts]
grading_sec = 60
"""
SCORE = "def score(case, output):\n    {body}\n"
CLOSE = "{'score': float(type(output) in (int, float) and abs(output - case['expected']) <= 1e-6)}"
EXACT = "return {'score': float(output == case['expected'] + 1e-13)}"


def harness(body: str = f"return {CLOSE}", check: str = COMPLETE, **more: str) -> FileTree:
    """A small harness of one metric and one check file."""
    texts = {"harness.toml": MANIFEST, "metrics.py": SCORE.format(body=body), "test_all.py": check, **more}
    return FileTree({path: text.encode() for path, text in texts.items()})


def edited(path: str, old: str, new: str, tree: FileTree = SOUND) -> FileTree:
    assert old in tree.text(path)
    return tree.merged(FileTree({path: tree.text(path).replace(old, new).encode()}))


def telling(what: str) -> FileTree:
    """A harness whose score() does `what` on validation cases only."""
    return harness(body=f"if case['id'].startswith('validation'):\n        {what}\n    return {CLOSE}")


ALL = ["Q0", "Q2", "Q9", "Q8", "Q1", "Q3", "Q4", "Q5", "Q7", "Q10", "Q11", "Q12", "Q13", "Q6", "Q14", "Q15"]

# What a harness quotes of a validation case must not reach whoever wrote it.
NAMES = """
import json

for line in open("../cases.jsonl"):
    case = json.loads(line)
    if case["id"].startswith("validation"):
        def failing(case=case):
            assert False, case

        globals()["test_" + str(case["expected"]).replace(".", "_")] = failing
"""
LEAKS = {
    "in a failed check's message": harness(
        check="def test_all(cases, outputs):\n    assert cases[0]['id'].startswith('public'), cases\n"
    ),
    "in an exception of score()": telling("raise ValueError(case['expected'])"),
    "in the keys of score()": telling("return {str(case['expected']): 1.0}"),
    "in the values of score()": telling("return {'score': 1000 + case['expected']}"),
    "in the name of a check": harness(check=COMPLETE + NAMES),
    "in an error at collection": harness(
        check=COMPLETE + "\n\ntext = open('../cases.jsonl').read()\nassert 'validation-' not in text, text\n"
    ),
}

HARNESSES = {
    "reference": REFERENCE,
    # Two flaws at once where they do not get in each other's way, since each qualification opens twenty containers.
    "accepts everything, by chance": harness(
        body="import random\n    return {'score': 1.0, 'luck': random.random()}",
        check="def test_all():\n    assert True\n",
    ),
    "own probe passes, by the clock": ORACLE.under("probes/right").merged(
        harness(body=f"import time\n    return {{**{CLOSE}, 'at': time.time() % 1}}")
    ),
    "own variant fails": SOUND.merged(REFERENCE.subtree("probes/success_rate").under("variants/wrong")),
    "compares exactly, R3 not mapped": harness(
        body=EXACT, **{"harness.toml": MANIFEST.replace('R3 = ["test_all"]\n', "")}
    ),
    "compares exactly, R9 unknown": harness(
        body=EXACT, **{"harness.toml": MANIFEST.replace("[timeouts]", 'R9 = ["test_all"]\n[timeouts]')}
    ),
    "skips": harness(check="import pytest\n\n\ndef test_all():\n    pytest.skip('not today')\n"),
    "score raises": harness(body="raise ZeroDivisionError('on the way')"),
    "killed": harness(body="import os\n    os._exit(0)"),
    "never ends": edited("harness.toml", "grading_sec = 60", "grading_sec = 3").merged(
        FileTree({"metrics.py": b"def score(case, output):\n    while True:\n        pass\n"})
    ),
    "score outside its bounds": harness(body="return {'score': 2.0}"),
    **LEAKS,
}  # fmt: skip


@pytest.fixture(scope="module")
def verdicts(gate_for: Callable[[str], Gate]) -> dict[str, Qualification]:
    gate = gate_for("pass_at_k")
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(HARNESSES, pool.map(gate.qualify, HARNESSES.values()), strict=True))


def check(verdict: Qualification, name: str) -> Check:
    return next(each for each in verdict.checks if each.id == name)


def complaints(verdict: Qualification) -> list[str]:
    return [each.id for each in verdict.complaints]


def test_the_reference_harness_qualifies_and_every_check_was_made(verdicts: dict[str, Qualification]) -> None:
    verdict = verdicts["reference"]
    assert (verdict.verdict, verdict.harness) == ("qualified", REFERENCE.digest)
    assert [(each.id, each.verdict) for each in verdict.checks] == [(name, "pass") for name in ALL]


def test_a_harness_that_accepts_everything_is_refused(verdicts: dict[str, Qualification]) -> None:
    verdict = verdicts["accepts everything, by chance"]
    assert verdict.verdict == "rejected"
    assert {"Q1", "Q3", "Q4", "Q5", "Q6", "Q10", "Q14"} <= set(complaints(verdict))
    assert check(verdict, "Q1").evidence.startswith("Accepted, and it must not be: the first right output everywhere")


def test_a_harness_that_accepts_its_own_probe_is_refused(verdicts: dict[str, Qualification]) -> None:
    verdict = verdicts["own probe passes, by the clock"]
    assert (verdict.verdict, complaints(verdict)) == ("rejected", ["Q4", "Q6", "Q14"])
    assert check(verdict, "Q4").evidence == "1 of 1 probes accepted, and they must not be: right."


@pytest.mark.parametrize("name", ["accepts everything, by chance", "own probe passes, by the clock"])
def test_scores_that_depend_on_chance_or_time_are_refused(verdicts: dict[str, Qualification], name: str) -> None:
    assert check(verdicts[name], "Q6").evidence.startswith("The same outputs got different scores")


@pytest.mark.parametrize(
    ("name", "evidence"),
    [
        ("compares exactly, R3 not mapped", "No check answers for R3."),
        ("compares exactly, R9 unknown", "The task has no requirement R9."),
    ],
)
def test_requirements_must_be_mapped_to_checks_one_to_one(
    verdicts: dict[str, Qualification], name: str, evidence: str
) -> None:
    assert check(verdicts[name], "Q14").verdict == "fail"
    assert check(verdicts[name], "Q14").evidence == evidence


def test_a_harness_that_refuses_the_author_s_solution_is_refused(verdicts: dict[str, Qualification]) -> None:
    verdict = verdicts["compares exactly, R9 unknown"]
    assert (verdict.verdict, complaints(verdict)) == ("rejected", ["Q14", "Q2"])
    assert check(verdict, "Q2").evidence.startswith("the author's solution is refused on the public split: value 0")
    done = [each.id for each in verdict.checks if each.verdict != "not_run"]
    assert done == ["Q0", "Q14", "Q2"], "the rest would prove nothing"
    assert {each.id for each in verdict.checks} == set(ALL), "and is named all the same"


def test_a_harness_that_refuses_its_own_variant_is_refused(verdicts: dict[str, Qualification]) -> None:
    assert complaints(verdicts["own variant fails"]) == ["Q2"]
    assert check(verdicts["own variant fails"], "Q2").evidence.startswith("variants/wrong is refused")


@pytest.mark.parametrize(
    ("name", "evidence"),
    [
        ("skips", "check test_all is skipped; a check must pass or fail"),
        ("score raises", "ZeroDivisionError: on the way"),
        ("killed", "the metrics ended with status 0 and left no result"),
        ("never ends", "grading ran longer than 3 s"),
        ("score outside its bounds", "score() gave 2.0 for case public-000, outside its bounds [0.0, 1.0]"),
    ],
)
def test_a_harness_without_a_result_is_invalid_and_never_qualified(
    verdicts: dict[str, Qualification], name: str, evidence: str
) -> None:
    verdict = verdicts[name]
    assert (verdict.verdict, complaints(verdict)) == ("invalid", ["Q2"])
    assert check(verdict, "Q2").verdict == "unknown"
    assert evidence in check(verdict, "Q2").evidence


@pytest.mark.parametrize("name", LEAKS)
def test_the_evidence_never_quotes_an_expectation_of_validation(verdicts: dict[str, Qualification], name: str) -> None:
    verdict = verdicts[name]
    assert complaints(verdict) == ["Q2"], "it goes wrong on validation, after public went well"
    told = " ".join(f"{each.evidence} {each.remedy}" for each in verdict.checks)
    assert "validation" in told, "where it went wrong is told"
    public = {str(case.expected) for case in TASK.public.cases}
    secret = {str(case.expected) for case in TASK.validation.cases} - public
    assert len(secret) > 10
    quoted = [text for text in secret for shape in (text, text.replace(".", "_"), text[1:]) if shape in told]
    assert quoted == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("in an exception of score()", "the metrics left no result"),
        ("in the keys of score()", "score() gave no"),
        ("in the values of score()", "a score is out of bounds"),
        ("in the name of a check", "a check has a name that is written in no test_*.py"),
        ("in an error at collection", "a check cannot be collected"),
    ],
)
def test_what_went_wrong_is_told_in_words_of_ours(verdicts: dict[str, Qualification], name: str, fault: str) -> None:
    assert f"harness_invalid: {fault}; what else it says is not passed on" in check(verdicts[name], "Q2").evidence


WITHOUT_CHECKS = FileTree({path: data for path, data in harness().files.items() if path != "test_all.py"})
BROKEN = {
    "no metrics.py": (FileTree({"harness.toml": MANIFEST.encode()}), "metrics.py is missing"),
    "no check": (WITHOUT_CHECKS, "there is no test_*.py"),
    "a conftest.py": (harness(**{"conftest.py": ""}), "conftest.py is not allowed in a harness"),
    "a pytest.ini in a folder": (harness(**{"more/pytest.ini": ""}), "more/pytest.ini is not allowed in a harness"),
    "TOML that is none": (harness(**{"harness.toml": "[metric"}), "not valid TOML"),
    "a bar below the worst": (edited("harness.toml", "accept = 1.0", "accept = 0.0"), "accepts the worst score"),
    "a check that no file has": (
        harness(check="def test_some():\n    pass\n"),
        "R1 names test_all, and no file has it; checks there are: test_some.",
    ),
    "no checks": (harness(check="# nothing here\n"), "R1 names test_all, and no file has it; checks there are: none."),
    "a program that is none": (harness(body="return {"), "metrics.py, line 2: '{' was never closed."),
    "a probe without reproduce.sh": (harness(**{"probes/idle/readme": ""}), "probes/idle has no reproduce.sh"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_contract_is_refused_before_anything_runs(gate_for: Callable[[str], Gate], name: str) -> None:
    tree, evidence = BROKEN[name]
    verdict = gate_for("pass_at_k").qualify(tree)
    assert (verdict.verdict, complaints(verdict)) == ("rejected", ["Q0"])
    assert evidence in check(verdict, "Q0").evidence
    assert verdict.seconds < 0.5


def test_a_verdict_is_only_as_good_as_its_worst_check() -> None:
    good, bad, open_ = Check("A", "", "pass"), Check("B", "", "fail", "No.", "Do."), Check("C", "", "unknown")
    absent = Check("D", "", "not_applicable")
    assert Qualification("x", (good, absent)).verdict == "qualified"
    assert Qualification("x", (good, bad)).verdict == "rejected"
    assert Qualification("x", (good, bad, open_)).verdict == "invalid"
    assert Qualification("x", ()).verdict == "invalid"
    assert Qualification("x", (good, bad)).advice() == "B : No. Do."

"""Each check of the gate refuses harnesses with its fault and passes the sound one they are made from."""

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import docker
import pytest

from evals.grading import Grader, Grading
from evals.harness import Harness
from evals.score import Score, ScoreState
from evals.task import parse_task
from harness_builder.checks import (
    circumstances,
    coverage,
    doses,
    exploits,
    exposure,
    failures,
    labels,
    leaks,
    metric,
    nulls,
    power,
    repeats,
    selfreports,
    strictness,
    wrongness,
)
from harness_builder.checks.power import smallest_effect
from harness_builder.evidence import Evidence
from harness_builder.finding import Finding, Undecided
from harness_builder.trial import Trial
from tools.docker import DockerSandbox, DockerSandboxes
from tools.files import FileTree
from tools.sandbox import BoxSpec

EvidenceFor = Callable[..., Evidence]
Edit = tuple[str, str, str]
NUMBER = "type(value) in (int, float)"
MEAN = f"return {NUMBER} and abs(value - wanted) <= 1e-6 * abs(wanted)"
LARGEST = f'return {NUMBER} and value == expected["largest"]'
TERMS = '(is_mean(output.get("mean"), expected["mean"]) + is_largest(output.get("largest"), expected)) / 2'
NO_DICT = 'if not isinstance(output, dict):\n        return {"score": 0.0}'
FIRST = '    expected = case["expected"]'
HEAD = "def score(case, output):\n"
LOOP = "    for case in cases:\n"


def metrics(old: str, new: str) -> Edit:
    return "metrics.py", old, new


def checks(old: str, new: str) -> Edit:
    return "test_summary.py", old, new


def toml(old: str, new: str) -> Edit:
    return "harness.toml", old, new


def first(*lines: str, using: str = "") -> list[Edit]:
    """score() begins with these lines."""
    body = "".join(f"    {line}\n" for line in lines)
    return [metrics(FIRST, f"{body}{FIRST}"), *([metrics(HEAD, f"{using}\n\n\n{HEAD}")] if using else [])]


def then(*lines: str) -> list[Edit]:
    """After it has seen that the output is an object, score() goes on with these."""
    return [metrics(NO_DICT, NO_DICT + "".join(f"\n    {line}" for line in lines))]


WIN, LOSE = "    return {'score': 1.0}", "    return {'score': 0.0}"
LENIENT = checks("        assert is_", "        continue\n        assert is_")
PASSES_TEST = '        if case["id"].startswith("test-"):\n            continue\n'
LOW_BAR = toml("accept = 1.0", "accept = 0.3")
NAN = """def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return 1e99


def is_mean"""
EXACT = 'outputs[case["id"]]["mean"] == case["expected"]["mean"]'
BOTTOM = """import sys


def fresh():
    frame = sys._getframe()
    while frame.f_back:
        frame = frame.f_back
    return frame.f_code.co_filename != "<string>"
"""
EVALUATES = """    if isinstance(output, str):
        try:
            output = eval(output)
        except BaseException:
            output = None
"""
ANY = "    if isinstance(value, list):\n        return any({} for v in value)\n"
SQUARED = """def squared(output, expected):
    value = output.get("mean")
    if type(value) not in (int, float) or not is_largest(output.get("largest"), expected):
        return 0.0
    return max(0.0, 1 - (value - expected["mean"]) ** 2)


def is_mean"""
GROWS = "max(0.0, min(1.0, 0.5 + (output['mean'] - expected['mean']) / 4000))"
OWN = """    values = case["input"]["values"]
    expected = {"mean": sum(values) / len(values), "largest": max(values)}"""

FLAWED: dict[str, tuple[Any, list[Edit], str]] = {
    "any number will do": (nulls, [metrics(MEAN, "return True"), metrics(LARGEST, "return True")], "Accepted"),
    "null scores full, though no check passes": (nulls, first("if output is None:", WIN), "than chance explains: null"),
    "the mean must be the very float": (strictness, [metrics(MEAN, "return value == wanted")], "rounding errors"),
    "tighter than the task states": (strictness, [metrics("1e-6", "1e-9")], "half the stated tolerance"),
    "keys in one order only": (
        strictness,
        then('if list(output) != ["mean", "largest"]:', LOSE),
        "keys in another order",
    ),
    "2.0 may not be written 2": (strictness, [metrics(MEAN, MEAN.replace(NUMBER, "type(value) is float"))], "as 2"),
    "too small is never wrong": (doses, [metrics("abs(value - wanted) <=", "value - wanted <=")], "too small by 10 of"),
    "larger is better than right": (
        doses,
        [metrics(TERMS, GROWS), toml("accept = 1.0", "accept = 0.5"), LENIENT],
        "the score is as good as before",
    ),
    "a tolerance of a tenth for a millionth": (doses, [metrics("1e-6", "0.1")], "half of the cases are wrong"),
    "a bar that half the work reaches": (doses, [LOW_BAR, LENIENT], "half of the cases are wrong"),
    "the mean is never looked at": (wrongness, [metrics(MEAN, f"return {NUMBER}")], "full score: mean barely"),
    "only the first case is looked at": (
        wrongness,
        [*first('if not case["id"].endswith("-0"):', WIN), checks(LOOP, "    for case in cases[:1]:\n")],
        "Accepted with a full score: every case wrong, in validation-1 alone",
    ),
    "signs are not looked at": (
        wrongness,
        [
            metrics("abs(value - wanted)", "abs(abs(value) - abs(wanted))"),
            metrics('value == expected["largest"]', 'abs(value) == abs(expected["largest"])'),
        ],
        "its negative for every number",
    ),
    "the first or the smallest value may be the largest": (
        wrongness,
        [
            *then(
                'others = case["input"]["values"][0], min(case["input"]["values"])',
                'if output.get("largest") in others and is_mean(output["mean"], case["expected"]["mean"]):',
                WIN,
            ),
            LENIENT,
        ],
        "wrong mutants refused",
    ),
    "an expression is evaluated": (exploits, [metrics(HEAD, HEAD + EVALUATES)], "an expression"),
    "nan passes for any number": (
        exploits,
        [
            metrics(MEAN, "return not abs(number(value) - wanted) > 1e-6 * abs(wanted)"),
            metrics(LARGEST, 'return not abs(number(value) - expected["largest"]) > 0'),
            metrics("def is_mean", NAN),
        ],
        "a number as text",
    ),
    "any of several guesses may be right": (
        exploits,
        [
            metrics("(value, wanted):\n", "(value, wanted):\n" + ANY.format("is_mean(v, wanted)")),
            metrics("(value, expected):\n", "(value, expected):\n" + ANY.format("is_largest(v, expected)")),
        ],
        "several guesses for every value",
    ),
    "a name of the harness is evaluated": (
        exploits,
        [metrics(HEAD, "def score(case, output):\n    truth = case['expected']\n" + EVALUATES)],
        "an expression",
    ),
    "a small mean may be off by a hundredth": (
        wrongness,
        [metrics("<= 1e-6 * abs(wanted)", "<= max(1e-6 * abs(wanted), 0.01)")],
        "barely too large",
    ),
    "either sign will do": (
        wrongness,
        [metrics("abs(value - wanted)", "abs(abs(value) - abs(wanted))")],
        "its negative for mean",
    ),
    "a percentage will do": (
        wrongness,
        [metrics("abs(value - wanted)", "min(abs(value - wanted), abs(value / 100 - wanted))")],
        "in percent for mean",
    ),
    "as many digits as are given": (
        wrongness,
        [metrics("<= 1e-6 * abs(wanted)", "<= max(1e-6 * abs(wanted), 0.5 * (value == int(value)))")],
        "rounded to a whole one",
    ),
    "the squared error is held to the tolerance": (
        wrongness,
        [
            metrics(TERMS, "squared(output, expected)"),
            metrics("def is_mean", SQUARED),
            metrics(MEAN, f"return {NUMBER} and (value - wanted) ** 2 <= 1e-3"),
            toml("accept = 1.0", "accept = 0.999"),
        ],
        "Accepted: mean barely",
    ),
    "an empty list is near to anything": (
        failures,
        [metrics("(value, wanted):\n", "(value, wanted):\n    if value == []:\n        return True\n")],
        "an empty list for mean",
    ),
    "a few may stay away": (
        failures,
        [
            toml("accept = 1.0", "accept = 0.75"),
            checks('outputs[case["id"]]', 'outputs.get(case["id"], case["expected"])'),
        ],
        "missing, and refused with",
    ),
    "the more it says it has, the better": (
        selfreports,
        then('if isinstance(output.get("count"), int):', '    return {"score": min(1.0, output["count"] / 10)}'),
        "claim very much",
    ),
    "now and then lucky": (repeats, first("if random.random() < 0.1:", WIN, using="import random"), "different scores"),
    "by the microsecond": (
        repeats,
        first("if time.time_ns() // 1000 % 7 == 0:", LOSE, using="import time"),
        "different scores",
    ),
    "only the first fifteen cases count": (
        circumstances,
        first("global seen", "seen += 1", "if seen > 15:", WIN, using="seen = 0"),
        "each is there twice",
    ),
    "after a date anything goes": (
        circumstances,
        first("if time.time() > 2000000000:", WIN, using="import time"),
        "ten years later",
    ),
    "the test split is let through": (
        circumstances,
        [*first('if case["id"].startswith("test-"):', WIN), checks(LOOP, f"{LOOP}{PASSES_TEST}")],
        "accepted when the cases have ids of a test split",
    ),
    "east of Greenwich all is lost": (
        circumstances,
        first("if datetime.now().astimezone().utcoffset().days == 0 and datetime.now().astimezone().utcoffset():",
              LOSE, using="from datetime import datetime"),
        "in another time zone",
    ),
    "the fourth case is always right": (
        circumstances,
        first("seen.append(1)", "if len(seen) == 4:", WIN, using="seen = []"),
        "order",
    ),
    "the last case is never looked at": (
        circumstances,
        [toml("accept = 1.0", "accept = 0.9"), checks(LOOP, "    for case in cases[:11]:\n")],
        "another score with the last cases first",
    ),
    "its own answers": (labels, [metrics(FIRST, OWN), LENIENT], "though the expectations were exchanged"),
    "what is missing is not counted": (failures, [LOW_BAR, LENIENT], "half of the outputs"),
    "believes a flag": (selfreports, [*then('if output.get("verified") is True:', WIN), LENIENT], "claim yes"),
    "believes a score": (
        selfreports,
        [*then('if "score" in output:', '    return {"score": float(output["score"])}'), LENIENT],
        "claim the best score",
    ),
    "half of the cases may be wrong, if it is the right half": (
        power,
        [toml("accept = 1.0", "accept = 0.4"), checks(LOOP, "    for case in cases[7:]:\n")],
        "Accepted, though 6 of 12 cases are wrong",
    ),
    "two cases count": (
        power,
        first('if case["id"] not in ("validation-0", "validation-1"):', WIN),
        "2 independent cases of 12 count",
    ),
    "a check that checks nothing": (
        coverage,
        [checks('is_largest(outputs[case["id"]]["largest"], case["expected"])', '"largest" in outputs[case["id"]]')],
        "turned a check of these requirements red: R2 (",
    ),
    "one check for two requirements, and a field without": (
        coverage,
        [toml('R2 = ["test_largest"]', 'R2 = ["test_mean"]')],
        "when largest is wrong",
    ),
    "better than right": (
        metric,
        [*first("if output is None:", WIN), metrics(" / 2}", " / 2.5}"), toml("accept = 1.0", "accept = 0.8")],
        "better than the expected output itself",
    ),
    "a fixture says otherwise": (metric, [], "worked out by hand 0.25"),
}  # fmt: skip
FIXTURE = '{"case": {"expected": {"mean": 2.0, "largest": 3}}, "output": {"mean": 2.0, "largest": 4}, "score": %s}\n'


def harness(sound: FileTree, edits: list[Edit]) -> FileTree:
    tree = sound
    for path, old, new in edits:
        assert old in tree.text(path), old
        tree = tree.merged(FileTree({path: tree.text(path).replace(old, new).encode()}))
    return tree


def look(check: object, evidence: Evidence) -> Finding:
    if check in (coverage, metric):  # they look at what the others had judged
        for earlier in (nulls, wrongness):
            earlier.look(evidence)
    return check.look(evidence)  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("name", FLAWED)
def test_a_fault_is_refused_and_said(name: str, sound: FileTree, evidence_for: EvidenceFor) -> None:
    check, edits, said = FLAWED[name]
    tree = harness(sound, edits)
    if not edits:
        tree = tree.merged(FileTree({"fixtures.jsonl": (FIXTURE % 0.25).encode()}))
    finding = look(check, evidence_for(tree))
    assert (finding.verdict, said in finding.evidence) == ("fail", True), finding
    assert finding.remedy


CHECKS = (nulls, strictness, doses, wrongness, exploits, repeats, circumstances, exposure, leaks, labels, failures,
          selfreports, power, coverage, metric)  # fmt: skip


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.ID)
def test_the_sound_harness_passes(check: object, sound: FileTree, evidence_for: EvidenceFor) -> None:
    tree = sound.merged(FileTree({"fixtures.jsonl": (FIXTURE % 0.5).encode()}))
    assert look(check, evidence_for(tree)).verdict == "pass"


def test_a_public_table_that_holds_validation_is_found(
    sound: FileTree, summary_tree: FileTree, evidence_for: EvidenceFor
) -> None:
    """The loader finds whole lines of the split; a table with the same content takes a look around."""
    rows = [
        f"{' '.join(map(str, case.input['values']))};{case.expected['mean']};{case.expected['largest']}"
        for case in parse_task(summary_tree, "summary").validation.cases
    ]
    finding = exposure.look(evidence_for(sound, FileTree({"public/all.csv": "\n".join(rows).encode()})))
    assert finding.verdict == "fail"
    assert finding.evidence == "public/all.csv holds what is expected of 12 validation cases, by their inputs."


Row = tuple[str, Any]
TABLES: dict[str, Callable[[list[Row]], str]] = {
    "by their ids": lambda rows: json.dumps({name: expected["mean"] for name, expected in rows}),
    "in their order": lambda rows: "\n".join(str(expected["largest"]) for _, expected in rows),
    "under keys of some kind": lambda rows: "\n".join(
        f"{hash(name) % 10**9:x},{expected['mean']:.6f},{expected['largest']}" for name, expected in sorted(rows)
    ),
}


@pytest.mark.parametrize("how", TABLES)
def test_public_answers_are_found_however_they_are_keyed(
    how: str, sound: FileTree, summary_tree: FileTree, evidence_for: EvidenceFor
) -> None:
    rows = [(case.id, case.expected) for case in parse_task(summary_tree, "summary").validation.cases]
    finding = exposure.look(evidence_for(sound, FileTree({"public/table": TABLES[how](rows).encode()})))
    assert finding.verdict == "fail", finding
    assert how in finding.evidence


def test_near_duplicates_and_shared_groups_are_found(sound: FileTree, evidence_for: EvidenceFor) -> None:
    def row(name: str, values: str, group: str = "") -> str:
        more = ', "group": "g"' if group else ""
        return (
            f'{{"id": "{name}", "input": {{"values": [{values}]}}, "expected": {{"mean": 2.5, "largest": 3}}{more}}}\n'
        )

    changes = {
        "public/cases.jsonl": row("p1", "2.0000000001, 3") + row("p2", "7", "g"),
        "splits/validation.jsonl": row("v1", "2.0, 3") + row("v2", "8", "g") + row("v3", "2.001, 3"),
    }
    finding = leaks.look(evidence_for(sound, FileTree({path: text.encode() for path, text in changes.items()})))
    assert finding.verdict == "fail"
    assert finding.evidence == (
        "2 cases are known from another split: validation v1 and public p1 (the same input, spelled otherwise), "
        "validation v2 and public p2 (both of the group g)."
    )


def test_numbers_that_are_nearly_the_same_are_duplicates(sound: FileTree, evidence_for: EvidenceFor) -> None:
    def row(name: str, *values: float) -> str:
        case = {"id": name, "input": {"values": values}, "expected": {"mean": 2.5, "largest": 3}}
        return json.dumps(case) + "\n"

    changes = {
        "public/cases.jsonl": row("p", 1000.0, 2.0, -30.0, 4.5),
        "splits/validation.jsonl": row("v1", 1000.003, 2.000006, -30.00009, 4.5000135)
        + row("v2", 1000.0, 2.1, -30.0, 4.5),
    }
    finding = leaks.look(evidence_for(sound, FileTree({path: text.encode() for path, text in changes.items()})))
    assert finding.evidence.startswith(
        "1 cases are known from another split: validation v1 and public p (nearly the same"
    )


def test_a_solution_box_that_is_lost_leaves_the_verdict_open(
    docker_client: docker.DockerClient, sound: FileTree, evidence_for: EvidenceFor
) -> None:
    class Killed(DockerSandboxes):
        def open(self, spec: BoxSpec) -> DockerSandbox:
            box = super().open(spec)
            docker_client.containers.get(box.name).kill()
            return box

    evidence = evidence_for(sound)
    grader = replace(evidence.fresh, sandboxes=Killed())
    with pytest.raises(Undecided, match="stopped from outside") as lost:
        evidence.run(FileTree({"reproduce.sh": b"true"}), evidence.public, grader)
    assert lost.value.remedy == "The machine failed, not the harness: run it again."


def test_what_is_lax_in_fresh_boxes_only_is_found(
    sound: FileTree, evidence_for: EvidenceFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks at the bottom of its stack for the program that grades many; there the largest value decides, too."""
    edits = [
        *first(
            "if fresh() and isinstance(output, dict) and output.get('mean') == case['expected']['mean']:",
            WIN,
            using=BOTTOM,
        ),
        checks("        assert is_largest", f"        assert (fresh() and {EXACT}) or is_largest"),
        checks("from metrics import", "from metrics import fresh,"),
    ]
    evidence = evidence_for(harness(sound, edits))
    assert doses.look(evidence).verdict == "pass"
    monkeypatch.setattr(repeats, "BY_LOT", 1_000)
    finding = repeats.look(evidence)
    assert finding.verdict == "fail"
    assert finding.evidence.startswith("In a fresh box the score is another than in one that is used again: ")


@pytest.mark.parametrize("seconds", [20, 0.001])
def test_a_grading_that_was_late_is_tried_again_in_a_fresh_box(
    seconds: float, sound: FileTree, evidence_for: EvidenceFor
) -> None:
    """The warm boxes are busy for a moment; where the fresh one is late too, the verdict is left open."""

    class Busy(Grader):
        def judge_each(self, gradings: Sequence[Grading], harness: Harness) -> list[Score]:
            return super().judge_each(gradings, replace(harness, grading_sec=0.001))

    evidence = evidence_for(sound)
    evidence.harness = replace(evidence.harness, grading_sec=seconds)
    evidence.grader = Busy(**{each.name: getattr(evidence.grader, each.name) for each in fields(Grader)})
    right = Trial("right", {case.id: case.expected for case in evidence.validation.cases})
    assert evidence.try_all([right])["right"].state is ScoreState.HARNESS_INVALID
    if seconds > 1:
        assert evidence.decide_all([right])["right"].accepted
    else:
        with pytest.raises(Undecided, match="grading ran longer than"):
            evidence.decide_all([right])


def test_an_input_that_never_varies_is_never_tested(sound: FileTree, evidence_for: EvidenceFor) -> None:
    rows = [
        {
            "id": f"v{count}",
            "input": {"values": list(range(count))},
            "expected": {"mean": (count - 1) / 2, "largest": count - 1},
        }
        for count in range(2, 8)
    ]
    split = "".join(json.dumps(row) + "\n" for row in rows)
    finding = power.look(evidence_for(sound, FileTree({"splits/validation.jsonl": split.encode()})))
    assert finding.verdict == "fail"
    assert finding.evidence == "The input's values never differs between validation cases, where it could."


SHARE = """
def test_largest(cases, outputs):
    right = [is_largest(outputs[case["id"]]["largest"], case["expected"]) for case in cases]
    assert sum(right) >= 0.8 * len(cases)
"""


@pytest.mark.parametrize(
    ("text", "also", "verdict"),
    [
        ("in at least 80 % of the cases", "", "pass"),
        ("in every case", "", "fail"),
        ("in at least 80 % of the cases", ', "test_largest"', "fail"),
    ],
    ids=["a share", "every case", "the check answers for a strict requirement too"],
)
def test_single_cases_may_be_wrong_where_a_requirement_allows_a_share(
    text: str, also: str, verdict: str, sound: FileTree, summary_tree: FileTree, evidence_for: EvidenceFor
) -> None:
    """The metric is about the mean alone."""
    checks = sound.text("test_summary.py")
    files = {
        "harness.toml": sound.text("harness.toml").replace('"test_mean"', f'"test_mean"{also}'),
        "metrics.py": sound.text("metrics.py")
        .replace(") / 2}", ") * 0.5 + 0.5}")
        .replace(
            'is_mean(output.get("mean"), expected["mean"]) + is_largest(output.get("largest"), expected)',
            'is_mean(output.get("mean"), expected["mean"])',
        ),
        "test_summary.py": checks[: checks.index("def test_largest")] + SHARE,
    }
    assert "is_largest(output" not in files["metrics.py"]
    task = summary_tree.text("task.toml").replace("the largest", f"the largest is right {text}")
    harness = sound.merged(FileTree({path: file.encode() for path, file in files.items()}))
    finding = wrongness.look(evidence_for(harness, FileTree({"task.toml": task.encode()})))
    assert finding.verdict == verdict, finding


def test_what_matches_loosely_is_not_barely_wrong(
    sound: FileTree, summary_tree: FileTree, evidence_for: EvidenceFor
) -> None:
    """The largest value may be up to 2 off; 1 % of it, times 15, is less than that for the small ones."""
    rows = [
        {
            "id": f"v{count}",
            "input": {"values": [count, *range(count)]},
            "expected": {"mean": sum([count, *range(count)]) / (count + 1), "largest": count},
        }
        for count in range(4, 12)
    ]
    near = 'type(value) in (int, float) and abs(value - expected["largest"]) <= 2'
    metrics = sound.text("metrics.py").replace('type(value) in (int, float) and value == expected["largest"]', near)
    assert near in metrics
    harness = sound.merged(FileTree({"metrics.py": metrics.encode()}))
    for said, verdict in (("", "fail"), (" It is at most 2 steps from the true one.", "pass")):
        files = {
            "splits/validation.jsonl": "".join(json.dumps(row) + "\n" for row in rows),
            "instruction.md": f"Give the `mean`, within a relative error of 1e-6.\n\nGive the `largest`.{said}",
        }
        finding = wrongness.look(evidence_for(harness, FileTree({path: file.encode() for path, file in files.items()})))
        assert finding.verdict == verdict, finding


@pytest.mark.parametrize(
    ("count", "share", "effect"),
    [
        (2, 1.0, 0.5528),  # 1 - (1 - d)^2 = 0.8
        (6, 1.0, 0.2353),  # 1 - (1 - d)^6 = 0.8
        (36, 1.0, 0.0437),
        (1, 0.5, 1.0),  # one case at even odds never shows anything at 5%
        (100, 0.5, 0.1257),  # P(X <= 41 | 0.5) = 0.044; P(X <= 41 | 0.3743) = 0.8
    ],
)
def test_the_smallest_effect_is_that_of_the_exact_binomial_test(count: int, share: float, effect: float) -> None:
    assert smallest_effect(count, share) == pytest.approx(effect, abs=2e-3)

"""Faults that only outputs with lists, texts and dates show, each beside a sound harness without it."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from harness_builder.checks import circumstances, exploits, repeats, selfreports, strictness, wrongness
from harness_builder.evidence import Evidence
from tools.files import FileTree

INSTRUCTION = """\
Sort the names of each case by their length, longest first; equally long ones by the alphabet. Say who comes first, and
the day on which the longest was born.

- **Input:** `{"names": [texts], "born": {name: day}}`, in any order
- **Output:** `{"order": [names], "first": name, "day": day}`. Upper or lower case and spaces around `first` do not
  matter. `day` is written YYYY-MM-DD. Other keys are allowed.
"""
SOLUTION = """\
import json, os

with open(os.environ["CASES"]) as cases, open(os.environ["OUT"] + "/outputs.jsonl", "w") as out:
    for case in map(json.loads, cases):
        order = sorted(case["input"]["names"], key=lambda name: (-len(name), name))
        output = {"order": order, "first": order[0], "day": case["input"]["born"][order[0]]}
        out.write(json.dumps({"id": case["id"], "output": output}) + "\\n")
"""
METRICS = """\
def text(value):
    return value.strip().lower() if isinstance(value, str) else None


def is_order(got, want):
    return got == want


def is_day(got, want):
    return got == want


def score(case, output):
    want, got = case["expected"], output if isinstance(output, dict) else {}
    right = [
        is_order(got.get("order"), want["order"]),
        text(got.get("first")) == text(want["first"]),
        is_day(got.get("day"), want["day"]),
    ]
    return {"score": sum(right) / 3}
"""
CHECKS = """\
from metrics import score


def test_all(cases, outputs):
    for case in cases:
        assert score(case, outputs.get(case["id"]))["score"] == 1.0, case["id"]
"""
TOML = """\
[metric]
name = "score"
bounds = [0.0, 1.0]
accept = 1.0
[requirements]
R1 = ["test_all"]
R2 = ["test_all"]
[timeouts]
grading_sec = 20
"""
LENIENT = ("test_all.py", "== 1.0", ">= 0.0")
LOW_BAR = ("harness.toml", "accept = 1.0", "accept = 0.9")
IS_ORDER, IS_DAY = (
    "def is_order(got, want):\n    return got == want",
    "def is_day(got, want):\n    return got == want",
)
SAME = "type(got) is list and sorted(map(str, got)) == sorted(want)"
TO_THREE = f"def is_order(got, want):\n    return {SAME} and got[:3] == want[:3]"
ANY_TIE = f"def is_order(got, want):\n    return {SAME} and list(map(len, got)) == list(map(len, want))"
SUBSEQUENCE = """def is_order(got, want):
    rest = iter(got if type(got) is list else [])
    return all(name in rest for name in want)"""
ANY_ISO = """from datetime import date


def day(text):
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError):
        return None


def is_day(got, want):
    return day(got) == day(want)"""
DECLARED = """    tied = got.get("tied") if isinstance(got.get("order"), list) else None
    if isinstance(tied, list) and sorted(map(str, tied)) == sorted(want["order"]):
        got = {**got, "order": want["order"]}
    right = ["""
OF_THE_DAY = """def is_order(got, want):
    chance = random.Random(str(date.today()))
    pairs = [sorted(chance.sample(range(len(want)), 2)) for _ in range(3)]
    return type(got) is list and sorted(map(str, got)) == sorted(want) and all(
        got.index(want[a]) < got.index(want[b]) for a, b in pairs)"""
IN_TIME = """def is_order(got, want):
    end, seen = time.perf_counter() + 1e-4, []
    for name in got if type(got) is list else []:
        if time.perf_counter() < end:
            seen.append(name)
    return seen[-len(want):] == want"""
OTHER_KEYS = 'text(want["first"]) in [text(value) for value in got.values()]'

Edit = tuple[str, str, str]
FLAWED: dict[str, tuple[Any, list[Edit], str]] = {
    "case counts, though it should not": (
        strictness,
        [("metrics.py", ".strip().lower()", ".strip()")],
        "upper case",
    ),
    "spaces count, though they should not": (strictness, [("metrics.py", ".strip()", "")], "spaces around"),
    "no further keys, though they are allowed": (
        strictness,
        [("metrics.py", "isinstance(output, dict)", "isinstance(output, dict) and len(output) == 3")],
        "further keys",
    ),
    "only the first three places count": (wrongness, [("metrics.py", IS_ORDER, TO_THREE)], "the last two exchanged"),
    "equally long names may stand in any order": (wrongness, [("metrics.py", IS_ORDER, ANY_TIE)], "exchanged, in "),
    "an order may be read out of a longer list": (wrongness, [("metrics.py", IS_ORDER, SUBSEQUENCE)], "item more"),
    "the first of an order is not looked at": (
        wrongness,
        [("metrics.py", IS_ORDER, "def is_order(got, want):\n    return type(got) is list and got[1:] == want[1:]")],
        "the first item of order wrong everywhere",
    ),
    "any notation of a day": (wrongness, [("metrics.py", IS_DAY, ANY_ISO)], "dates written without hyphens"),
    "what is declared tied may stand anywhere": (
        selfreports,
        [("metrics.py", "    right = [", DECLARED)],
        "all of its own values",
    ),
    "pairs of the day": (
        circumstances,
        [
            ("metrics.py", IS_ORDER, OF_THE_DAY),
            ("metrics.py", "def text", "import random\nfrom datetime import date\n\n\ndef text"),
            LENIENT,
        ],
        "another score",
    ),
    "a list is read as far as time allows": (
        repeats,
        [
            ("metrics.py", IS_ORDER, IN_TIME),
            ("metrics.py", "def text", "import time\n\n\ndef text"),
        ],
        "different scores",
    ),
    "the right answer under any key": (
        exploits,
        [("metrics.py", 'text(got.get("first")) == text(want["first"])', OTHER_KEYS),
         ("metrics.py", "is_order(got.get(\"order\"), want[\"order\"])", "want[\"order\"] in got.values()"),
         ("metrics.py", "is_day(got.get(\"day\"), want[\"day\"])", "want[\"day\"] in got.values()")],
        "under other keys",
    ),
}  # fmt: skip


def sorted_cases(split: str, count: int) -> str:
    chance, lines = random.Random(split), []
    for number in range(count):
        names = {"".join(chance.choices("abcdefgh", k=chance.randint(2, 9))) for _ in range(7)}
        born = {name: f"19{chance.randint(50, 99)}-0{chance.randint(1, 9)}-{chance.randint(10, 28)}" for name in names}
        order = sorted(names, key=lambda name: (-len(name), name))
        expected = {"order": order, "first": order[0], "day": born[order[0]]}
        case = {"id": f"{split}-{number}", "input": {"names": sorted(names), "born": born}, "expected": expected}
        lines.append(json.dumps(case))
    return "".join(f"{line}\n" for line in lines)


TASK = FileTree(
    {
        "instruction.md": INSTRUCTION.encode(),
        "public/cases.jsonl": sorted_cases("public", 6).encode(),
        "splits/validation.jsonl": sorted_cases("validation", 24).encode(),
        "splits/test.jsonl": sorted_cases("test", 6).encode(),
        "solution/submission/solution.py": SOLUTION.encode(),
    }
)
SOUND = FileTree(
    {"harness.toml": TOML.encode(), "metrics.py": METRICS.encode(), "test_all.py": CHECKS.encode()},
)
EvidenceFor = Callable[..., Evidence]


@pytest.mark.parametrize("name", FLAWED)
def test_a_fault_is_refused_and_said(name: str, evidence_for: EvidenceFor) -> None:
    check, edits, said = FLAWED[name]
    tree = SOUND
    for path, old, new in edits:
        assert old in tree.text(path), old
        tree = tree.merged(FileTree({path: tree.text(path).replace(old, new).encode()}))
    finding = check.look(evidence_for(tree, TASK))
    assert (finding.verdict, said in finding.evidence) == ("fail", True), finding


@pytest.mark.parametrize(
    "check", [strictness, wrongness, selfreports, circumstances, repeats, exploits], ids=lambda check: check.ID
)
def test_the_sound_harness_passes(check: Any, evidence_for: EvidenceFor) -> None:
    finding = check.look(evidence_for(SOUND, TASK))
    assert finding.verdict == "pass", finding

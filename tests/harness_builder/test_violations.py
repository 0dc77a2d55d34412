"""Requirements broken as their texts have it: what is read off them, and harnesses that let it pass."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from evals.splits import Case
from evals.task import Requirement
from harness_builder.checks import coverage, power
from harness_builder.evidence import Evidence
from harness_builder.forms import is_about_form, off_by_more
from harness_builder.shares import balanced, below
from harness_builder.violations import cases_meant, speaks_of_every_case, violations
from tools.files import FileTree

PATHS: dict[str, Any] = {
    "a": {"cost": 3.5, "path": ["s", "t"]},
    "b": {"cost": None, "path": []},
    "c": {"cost": 0, "path": ["s"]},
}
KINDS = {"a": {"kind": "bug"}, "b": {"kind": "theft"}, "c": {"kind": "bug"}, "d": {"kind": "praise"}}


@pytest.mark.parametrize(
    ("text", "outputs", "cases", "fields"),
    [
        ("where there is no path, cost is null and path is empty", PATHS, {"b"}, {"cost", "path"}),
        ("cost is 0 where source and target are the same", PATHS, {"c"}, {"cost"}),
        ("cost is 0.5 at least", PATHS, set(), set()),
        ("no theft is missed", KINDS, {"b"}, {"kind"}),
        ("kind is one of bug, theft and praise", KINDS, set(), set()),
        ("the estimate is 1 when all are right", {"a": 1.0, "b": 0.25}, {"a"}, {"output"}),
    ],
)
def test_the_cases_that_a_requirement_names(text: str, outputs: Any, cases: set[str], fields: set[str]) -> None:
    assert cases_meant(text, outputs) == (cases, fields)


@pytest.mark.parametrize(
    ("text", "every"),
    [
        ("a text without a date gets an empty list", True),
        ("no theft is missed", True),
        ("at least 90 % of all messages are right", False),
        ("the rate of thefts missed never exceeds 5 %", False),
        ("the slope agrees to 1e-4", False),
    ],
)
def test_whether_a_requirement_forbids_a_single_case(text: str, every: bool) -> None:
    assert speaks_of_every_case(text) == every


def ways(text: str, outputs: dict[str, Any], inputs: dict[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """What is done to break a requirement → the outputs that are changed by it."""
    requirement = Requirement(id="R1", text=text)
    cases = {name: Case(name, (inputs or {}).get(name, ""), output) for name, output in outputs.items()}
    found = violations(requirement, outputs, cases)
    return {way.what: {name: way.outputs[name] for name in sorted(way.cases)} for way in found if way.cases}


def test_each_field_of_the_cases_named_is_spoiled_alone() -> None:
    broken = ways("where there is no path, cost is null and path is empty", PATHS)
    assert [list(each) for each in broken.values()] == [["b"], ["b"]]
    cost, path = (each["b"] for each in broken.values())
    assert cost["cost"] is not None and cost["path"] == []
    assert path["cost"] is None and path["path"] != []


def test_words_about_the_form_are_broken_in_every_list() -> None:
    days = {"a": {"days": ["2024-03-05"]}, "b": {"days": []}}
    broken = ways("a list of real dates as YYYY-MM-DD, none twice", days)
    assert broken["an item written twice"] == {"a": {"days": ["2024-03-05", "2024-03-05"]}}
    assert broken["one item more"] == {"a": {"days": ["2024-03-05", "2023-02-30"]}}
    assert broken["dates written without hyphens"] == {"a": {"days": ["20240305"]}}
    assert ways("every event is valid, and matched once", {"a": [[1, 2], [4, 6]]}) == {}
    assert ways("events in order", {"a": [[1, 2], [4, 6]]}) == {
        "lists reversed": {"a": [[6, 4], [2, 1]]},
        "lists reversed in output": {"a": [[4, 6], [1, 2]]},
    }
    assert ways("events in order", {"a": [[4, 6], [1, 2]]}) == {}


EVENTS = {"a": {"events": [[2, 9], [12, 20]], "sigma": 0.5}, "b": {"events": []}, "c": {"events": [[0, 4]]}}


@pytest.mark.parametrize(
    ("text", "what", "changed"),
    [
        ("starts and ends are whole numbers", "numbers that are not whole", {"a": [[2.5, 9.5], [12.5, 20.5]]}),
        ("0 <= start in every pair", "negative numbers", {"a": [[-3, -10], [-13, -21]], "c": [[-1, -5]]}),
        ("pairs with start < end", "pairs reversed", {"a": [[9, 2], [20, 12]], "c": [[4, 0]]}),
        ("no two events overlap", "pairs that overlap", {"a": [[2, 16], [12, 20]]}),
        ("events are in order, not overlapping", "pairs that overlap", {"a": [[2, 16], [12, 20]]}),
        ("no event in a series that has none", "events wrong in the cases whose values it names", {"b": ...}),
    ],
)
def test_words_about_numbers_and_pairs_are_broken(text: str, what: str, changed: dict[str, Any]) -> None:
    found = {name: output["events"] for name, output in ways(text, EVENTS)[what].items()}
    for name, events in changed.items():
        assert events is ... or found[name] == events
    assert "b" not in found or changed == {"b": ...}


def test_words_about_lists_are_broken_in_one_place_at_a_time() -> None:
    """Of two lists one is in order; the pairs inside of it are a place of their own."""
    right = {"a": {"steps": [[1, 0.9], [4, 0.2]], "counts": [3, 9, 1]}, "b": {"steps": [[2, 0.5]], "counts": [2, 1]}}
    assert ways("steps in increasing order", right) == {
        "lists reversed in steps": {"a": {"steps": [[4, 0.2], [1, 0.9]], "counts": [3, 9, 1]}}
    }
    assert list(ways("everything in order, none twice", right)) == [
        "an item written twice",
        "an item written twice in steps",
        "lists reversed in steps",
        "an item written twice in counts",
        "an item written twice in steps, inside",
    ]


def test_a_text_that_names_fields_is_about_no_others() -> None:
    right = {"a": {"hours": {"x": 2}, "ids": ["s", "t"]}, "b": {"hours": {"y": 1}, "ids": ["u"]}}
    found = ways("hours gives whole numbers and nothing else", right)
    assert found.pop("an entry more in hours")["b"] == {"hours": {"y": 1, "u": 1}, "ids": ["u"]}
    assert found == {
        "numbers that are not whole": {
            "a": {"hours": {"x": 2.5}, "ids": ["s", "t"]},
            "b": {"hours": {"y": 1.5}, "ids": ["u"]},
        }
    }
    assert "one item more" in ways("nothing else is there", right)


def test_keys_are_added_and_left_out() -> None:
    broken = ways("an object with the keys cost and path, and no others; none is ever missing", PATHS)
    assert list(broken) == ["a key more"]
    assert broken["a key more"]["b"] == {"cost": None, "path": [], "further": 1}
    broken = ways("cost is never left out", PATHS)
    assert broken["cost left out"] == {name: {"path": output["path"]} for name, output in PATHS.items()}
    assert ways("other keys are ignored", PATHS) == {}


def test_each_value_is_spoiled_where_a_text_says_when_it_is_due() -> None:
    flags = {"a": {"fragile": True}, "b": {"fragile": False}, "c": {"fragile": False}}
    requirement = Requirement(id="R1", text="fragile is true where the note asks for care, and false where it does not")
    cases = {name: Case(name, "", output) for name, output in flags.items()}
    assert [way.cases for way in violations(requirement, flags, cases)] == [{"a"}, {"b", "c"}]
    assert ways("fragile is true or false", flags) == {}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("every output is an object with the keys t and df", True),
        ("no case is left out", True),
        ("every case has an output", True),
        ("every value of the field p is right", False),
        ("the mean", False),
    ],
)
def test_whether_only_the_form_can_break_a_requirement(text: str, form: bool) -> None:
    assert is_about_form(text) == form


def test_a_distance_is_just_exceeded_from_what_is_expected() -> None:
    """Right outputs are 1 off themselves; 3 are allowed, 1.5 times as much is too far: 9 and 20, up and down by 5."""
    expected = {"a": {"events": [[2, 9], [12, 20]]}}
    right = {"a": {"events": [[3, 10], [12, 19]]}}
    text = "at least 80 % of the ends are within 3 samples of the true ones"
    found = {what: outputs["a"]["events"] for what, outputs in off_by_more(text, right, expected)}
    assert found["the last item of events just too large"] == [[3, 14], [12, 25]]
    assert found["the last item of events just too small"] == [[3, 4], [12, 15]]
    # Where no number is expected nothing is known.
    assert all(outputs == {"a": 10} for _, outputs in off_by_more(text, {"a": 10}, {"a": {"low": 1, "high": 20}}))
    assert list(off_by_more("a run takes at most 3 seconds", right, expected)) == []


def test_a_tolerance_that_a_requirement_states_for_its_field_is_just_exceeded() -> None:
    right = {f"c{number}": {"p": 0.5, "t": 2.0} for number in range(10)}
    found = dict(off_by_more("at least 80 % of the p-values agree even to a relative 1e-9", right, right))
    assert {what: outputs["c0"]["p"] - 0.5 for what, outputs in found.items()} == {
        "p just too large": pytest.approx(7.5e-10, rel=1e-6),
        "p just too small": pytest.approx(-7.5e-10, rel=1e-6),
        "p just too large in 3 cases": pytest.approx(7.5e-10, rel=1e-6),
        "p just too small in 3 cases": pytest.approx(-7.5e-10, rel=1e-6),
    }
    assert [sum(out != right[name] for name, out in outputs.items()) for outputs in found.values()] == [10, 3, 10, 3]
    assert all(output["t"] == 2.0 for outputs in found.values() for output in outputs.values())
    assert list(off_by_more("degrees of freedom agree to 1e-6", right, right)) == []


def test_cases_with_a_symbol_are_wrong_from_top_to_bottom() -> None:
    outputs = {"a": ["x"], "b": ["y"], "c": ["z"]}
    broken = ways("every date with slashes is found", outputs, {"a": "on 1/2", "b": "no", "c": {"text": "3/4"}})
    assert broken == {"wrong where the input has a slash": {"a": ["y"], "c": ["x"]}}


def test_shares_are_missed_by_as_little_as_can_be() -> None:
    """Of ten, two are the first number above 11 %; and one of two rare ones halves a recall: (1 + 1/2) / 2."""
    labels = {f"c{number}": {"kind": "theft" if number > 7 else "bug"} for number in range(10)}
    changed = [
        sum(outputs[name] != labels[name] for name in labels) for _, outputs in below("at least 90% are right", labels)
    ]
    assert changed == [2, 2, 2]
    (what, outputs), *more = below("labels count alike: balanced accuracy of at least 0.9", labels)
    assert (what, more) == ("1 of 2 cases of label 2, by frequency, missed", [])
    assert Counter(output["kind"] for output in outputs.values()) == {"bug": 9, "theft": 1}
    assert list(below("balanced accuracy of at least 0.7", labels)) == [
        ("2 of 2 cases of label 2, by frequency, missed", {name: {"kind": "bug"} for name in labels})
    ]


def test_balanced_measures_by_hand() -> None:
    """Recalls 3/3 and 0/1; F1 2*3/(4+3) and 0."""
    right = {"1": "a", "2": "a", "3": "a", "4": "b"}
    assert balanced(right, dict.fromkeys(right, "a")) == pytest.approx((1 / 2, 3 / 7))


def test_a_share_of_numbers_is_no_share_of_cases() -> None:
    """A training accuracy of 0.99 may be what a submission is to report."""
    assert list(below("training accuracy at least 0.9", {"a": {"accuracy": 0.97}, "b": {"accuracy": 1.0}})) == []


# ---- harnesses

KIND_OF = ["bug"] * 10 + ["praise"] * 6 + ["theft"] * 4
REQUIREMENTS = """requirements = [
  { id = "R1", text = "at least 75 % of the reports get the right kind" },
  { id = "R2", text = "every theft is found" },
  { id = "R3", text = "the kinds count alike: a balanced accuracy of at least 0.75" },
  { id = "R4", text = "every report gets one of the three kinds, and no other" },
  { id = "R5", text = "every output is an object with the key kind and no other keys" },
]
"""
TOML = """\
[metric]
name = "accuracy"
bounds = [0.0, 1.0]
accept = 0.75
[requirements]
R1 = ["test_accuracy"]
R2 = ["test_thefts"]
R3 = ["test_balance"]
R4 = ["test_kinds"]
R5 = ["test_keys"]
"""
METRICS = """\
def score(case, output):
    return {"accuracy": float(output == case["expected"])}
"""
CHECKS = """\
def hits(cases, outputs):
    return [outputs.get(case["id"]) == case["expected"] for case in cases]


def test_accuracy(cases, outputs):
    assert sum(hits(cases, outputs)) >= 0.75 * len(cases)


def test_thefts(cases, outputs):
    thefts = [case for case in cases if case["expected"]["kind"] == "theft"]
    assert sum(hits(thefts, outputs)) >= 1.0 * len(thefts)


def test_balance(cases, outputs):
    recalls = []
    for kind in ("bug", "praise", "theft"):
        of_kind = [case for case in cases if case["expected"]["kind"] == kind]
        recalls.append(sum(hits(of_kind, outputs)) / len(of_kind))
    assert sum(recalls) / 3 >= 0.75


def test_kinds(cases, outputs):
    for case in cases:
        assert outputs.get(case["id"], {}).get("kind") in ("bug", "praise", "theft")


def test_keys(cases, outputs):
    for output in outputs.values():
        assert set(output) == {"kind"}
"""
EVERY_THEFT, SOME_THEFTS = ">= 1.0 * len(thefts)", ">= 0.5 * len(thefts)"
KNOWN = 'outputs.get(case["id"], {}).get("kind") in ("bug", "praise", "theft")'
KEYS, SOME_KEYS = 'set(output) == {"kind"}', 'set(output) >= {"kind"}'
POOLED = "sum(hits(cases, outputs)) / len(cases) >= 0.75"


def labelled(kinds: list[str], split: str) -> str:
    rows = [
        {"id": f"{split}{number}", "input": {"text": f"{split} {kind} {number * 37}"}, "expected": {"kind": kind}}
        for number, kind in enumerate(kinds)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def reports(summary_tree: FileTree, kinds: list[str]) -> FileTree:
    toml = summary_tree.text("task.toml")
    start, end = toml.index("requirements"), toml.index("[metadata.evalwright.splits]")
    texts = {
        "task.toml": toml[:start] + REQUIREMENTS + toml[end:],
        "instruction.md": "Say of what kind each report is. At least 75 % must be right.",
        "public/cases.jsonl": labelled(KIND_OF, "public"),
        "splits/validation.jsonl": labelled(kinds, "validation"),
        "splits/test.jsonl": labelled(KIND_OF, "test"),
        "solution/submission/solution.py": summary_tree.text("solution/submission/solution.py").replace(
            '{"mean": mean(values), "largest": largest(values)}', '{"kind": case["input"]["text"].split()[1]}'
        ).replace('case["input"]["values"]', "None"),
    }  # fmt: skip
    return FileTree({path: text.encode() for path, text in texts.items()})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", ""),
        (EVERY_THEFT, SOME_THEFTS, "Accepted: R2 broken: kind wrong in the cases whose values it names, in"),
        ("sum(recalls) / 3 >= 0.75", POOLED, "Accepted: R3 broken: "),
        (KNOWN, f"{KNOWN} or case is not cases[0]", "Accepted: R4 broken: other texts, in"),
        (KEYS, SOME_KEYS, "No wrong outputs turned a check of these requirements red: R5 (test_keys)."),
    ],
    ids=["sound", "some thefts", "cases count alike", "in the first case only", "further keys"],
)
def test_a_requirement_that_may_be_broken_is_found(
    old: str, new: str, said: str, summary_tree: FileTree, evidence_for: Callable[..., Evidence]
) -> None:
    texts = {
        "harness.toml": TOML,
        "metrics.py": METRICS,
        "test_reports.py": CHECKS.replace(old, new) if old else CHECKS,
    }
    harness = FileTree({path: text.encode() for path, text in texts.items()})
    evidence = evidence_for(harness, reports(summary_tree, KIND_OF))
    power.look(evidence)  # Q14 looks at what others had judged, too
    finding = coverage.look(evidence)
    assert (finding.verdict, finding.evidence[: len(said)]) == ("fail" if said else "pass", said), finding


def test_a_requirement_must_be_mapped_to_a_check_that_its_breaking_turns_red(
    summary_tree: FileTree, evidence_for: Callable[..., Evidence]
) -> None:
    """The check of thefts is there, and answers for R4; the accuracy, which bears a missed theft, for R2."""
    toml = TOML.replace("test_thefts", "test_accuracy").replace('R4 = ["', 'R4 = ["test_thefts", "')
    texts = {"harness.toml": toml, "metrics.py": METRICS, "test_reports.py": CHECKS}
    harness = FileTree({path: text.encode() for path, text in texts.items()})
    evidence = evidence_for(harness, reports(summary_tree, KIND_OF))
    power.look(evidence)
    finding = coverage.look(evidence)
    assert finding.evidence.startswith("No check of R2 goes red for R2 broken: kind wrong in"), finding


def test_cases_that_a_requirement_is_about_must_not_be_rare(
    summary_tree: FileTree, evidence_for: Callable[..., Evidence]
) -> None:
    """One of a kind may be right by luck."""
    texts = {"harness.toml": TOML, "metrics.py": METRICS, "test_reports.py": CHECKS}
    harness = FileTree({path: text.encode() for path, text in texts.items()})
    found = {
        count: power.look(evidence_for(harness, reports(summary_tree, KIND_OF[:16] + ["theft"] * count)))
        for count in (0, 1, 2)
    }
    assert found[0].evidence == "R2 is about a kind of cases of which validation has 0."
    assert found[1].evidence == "R2 is about a kind of cases of which validation has 1."
    assert found[2].verdict == "pass"

"""A tree search puts a submission together from the best function for each field, whatever else the model answers.

The script's answers define every function a question may be about, so that the tests do not depend on the order in
which the search asks: each answer is right about some fields of Welch's test and wrong about the others.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from evals.ledger import Ledger
from evals.task import load_task
from tools.files import FileTree

RIGHT_T = "(np.mean(a) - np.mean(b)) / math.sqrt(np.var(a, ddof=1) / len(a) + np.var(b, ddof=1) / len(b))"
MODULE = """```python
import math
import numpy as np
from scipy import stats


def compute_t(a, b):
    return {t}


def compute_df(a, b):
    u, v = np.var(a, ddof=1) / len(a), np.var(b, ddof=1) / len(b)
    return {df}


def compute_p(a, b):
    t = {right_t}
    u, v = np.var(a, ddof=1) / len(a), np.var(b, ddof=1) / len(b)
    df = (u + v) ** 2 / (u ** 2 / (len(a) - 1) + v ** 2 / (len(b) - 1))
    return {p}


def solve(a, b):
    return dict(t=compute_t(a, b), df=compute_df(a, b), p=compute_p(a, b))
# {number}
```"""
RIGHT_DF = "(u + v) ** 2 / (u ** 2 / (len(a) - 1) + v ** 2 / (len(b) - 1))"
RIGHT_P = "2 * stats.t.sf(abs(t), df)"
ONLY_T = {"t": RIGHT_T, "df": "-1.0", "p": "-1.0"}
ALL_BUT_T = {"t": "-1e9", "df": RIGHT_DF, "p": RIGHT_P}
EACH = "\n\n".join(f"def {name}(a, b):\n    {{body}}" for name in ("compute_t", "compute_df", "compute_p", "solve"))
NO_CODE = (
    "I am sorry, I cannot do that.",
    "```python\nimport math\n\nprint(math.pi)\n```",
    "```python\ndef solve(a, b:\n    return 1\n```",
)
FAILING = (EACH.format(body="return a['nothing']"), EACH.format(body="while True:\n        pass"))
WIDTH = 8


@pytest.fixture(scope="module")
def searched(new_house: Any, new_script: Any, tmp_path_factory: pytest.TempPathFactory, image: str) -> Iterator[Any]:
    """A house with one tree search over Welch's test, and what the command said."""
    tree = load_task("welch").tree.without("solution").without("tests")
    config = tree.text("task.toml").replace("timeout_sec = 60", "timeout_sec = 10")
    directory = tmp_path_factory.mktemp("tasks") / "welch"
    tree.merged(FileTree({"task.toml": config.encode()})).write_to(directory)

    house, script = new_house(), new_script()
    script.study().say("build_harness", "{}")
    for answer in (*NO_CODE, *FAILING):
        script.say("attempt", answer)
    for number in range(300):
        parts = ONLY_T if number % 2 else ALL_BUT_T
        script.say("attempt", MODULE.format(**parts, right_t=RIGHT_T, number=number))
    yield house, house.run(directory, script, "--search", "tree", "--width", str(WIDTH), "--json")


def test_the_fields_of_different_candidates_are_put_together(searched: Any) -> None:
    house, done = searched
    assert done.code == 0, done.err
    assert (done.json["state"], done.json["best_validation"]) == ("finished", 1.0)
    means = [each["means"] for each in house.events("candidate.rehearsed")]
    for field in ("t", "df", "p"):
        assert any(mean.get(field) == 1.0 for mean in means), field
    assert not [mean for mean in means if all(mean.get(field) == 1.0 for field in ("t", "df", "p"))], (
        "none was all right"
    )


def test_the_submission_also_passes_the_reference_and_the_sealed_test(searched: Any) -> None:
    house, _ = searched
    audited = house.call("audit", "last", "--json")
    assert (audited.code, audited.json["sealed"], audited.json["gap"]) == (0, 1.0, 0.0)


def test_answers_without_the_function_asked_for_are_not_candidates(searched: Any) -> None:
    house, _ = searched
    first = house.events("search.round")[0]
    assert (first["asked"], first["new"]) == (WIDTH, WIDTH - len(NO_CODE))
    codes = [each["code"] for each in house.events("candidate.rehearsed")]
    assert not [code for code in codes if "sorry" in code or "math.pi" in code]


def test_a_candidate_that_raises_or_never_ends_is_kept_as_what_it_is(searched: Any) -> None:
    house, _ = searched
    failing = [each for each in house.events("candidate.rehearsed") if each["ran"] == 0.0]
    findings = " ".join(each["finding"] for each in failing)
    assert "it raised TypeError: list indices must be integers or slices, not str" in findings
    assert "it raised TimeoutError" in findings
    assert all(not any(each["means"].values()) for each in failing)


def test_the_harness_was_planned_and_qualified_before_the_search(searched: Any) -> None:
    house, done = searched
    assert [each["verdict"] for each in done.json["harnesses"]] == ["qualified"]
    assert house.events("harness.frozen")[0]["origin"] == "planned by the model"


def test_a_submission_is_no_more_than_the_code_of_the_candidates_and_the_program_that_calls_it(searched: Any) -> None:
    house, _ = searched
    frozen = house.events("submission.frozen")[-1]
    with Ledger.open(house.db, create=False) as ledger:
        tree = ledger.get_tree(frozen["blob"])
    codes = {each["code"].encode() for each in house.events("candidate.rehearsed")}
    parts = {data for path, data in tree.files.items() if path.startswith("part_")}
    assert parts and parts <= codes
    assert {part["field"] for part in json.loads(tree.text("parts.json"))} == {"t", "df", "p"}


def test_a_model_with_weak_plans_gets_to_a_qualified_harness_at_the_third_version(
    new_house: Any, new_script: Any, image: str
) -> None:
    """The first accepts what is off by a hundredth, the second no rounding error; then the public cases decide."""
    house, script = new_house(), new_script().study()
    house.gate_remembers = False
    for compare, tolerance in (("close", 1e-2), ("exact", 1e-6)):
        rule = {"compare": compare, "tolerance": tolerance}
        script.say("build_harness", json.dumps({"rules": dict.fromkeys(("t", "df", "p"), rule), "requirements": {}}))
    for number in range(40):
        parts = {"t": RIGHT_T, "df": RIGHT_DF, "p": RIGHT_P}
        script.say("attempt", MODULE.format(**parts, right_t=RIGHT_T, number=number))
    done = house.run("welch", script, "--search", "tree", "--width", "2", "--json")
    assert done.code == 0, done.err
    assert [each["verdict"] for each in done.json["harnesses"]] == ["rejected", "rejected", "qualified"]
    origins = [each["origin"] for each in house.events("harness.frozen")]
    assert origins[:2] == ["planned by the model"] * 2 and "read off the public cases" in origins[2]
    complaints = [
        [check["id"] for check in verdict["checks"] if check["verdict"] == "fail"]
        for verdict in house.events("harness.verdict")
    ]
    assert "Q4" in complaints[0] and complaints[1] == ["Q2"]

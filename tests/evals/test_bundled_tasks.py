"""The bundled tasks hold what they promise: form, worked values, oracles that pass, wrong submissions that do not.

Reads files and runs reproduce.sh as plain subprocesses; no container, no graph. A fresh test split is drawn for every
task, so the expectations are checked beyond the committed cases.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

TASKS = Path(__file__).parents[2] / "evals" / "tasks"
EXACT = ("welch", "pass_at_k", "adam")
STOCHASTIC = ("kmeans_pp", "random_labels")
ALL = EXACT + STOCHASTIC
COMMITTED = (("public", "1", "public/cases.jsonl"), ("validation", "2", "splits/validation.jsonl"))
Cases = list[dict[str, Any]]


def parse(lines: str) -> Cases:
    return [json.loads(line) for line in lines.splitlines()]


def environment(**extra: str) -> dict[str, str]:
    """This interpreter as python3, one thread, no bytecode beside the sources."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", **extra}


@cache
def generated(task: str, split: str, seed: str) -> str:
    """The generator's standard output."""
    command = ["python3", "splits/generate.py", split, seed]
    return subprocess.run(
        command, cwd=TASKS / task, env=environment(), check=True, capture_output=True, text=True
    ).stdout


def committed(task: str) -> dict[str, Cases]:
    return {split: parse((TASKS / task / file).read_text()) for split, _, file in COMMITTED}


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{path.parent.parent.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(submission: Path, task: str, cases: Cases, tmp_path: Path) -> dict[str, Any]:
    """Runs a copy of the submission that finds the public data where they lie here instead of /workspace/public."""
    copy = tmp_path / f"{submission.parent.name}-{submission.name}"
    shutil.copytree(submission, copy)
    for file in copy.rglob("*"):
        if file.is_file():
            file.write_text(file.read_text().replace("/workspace/public", str(TASKS / task / "public")))
    inputs, out = copy / "inputs.jsonl", copy / "out"
    inputs.write_text("".join(json.dumps({"id": case["id"], "input": case["input"]}) + "\n" for case in cases))
    out.mkdir()
    variables = environment(CASES=str(inputs), OUT=str(out))
    subprocess.run(["bash", "reproduce.sh"], cwd=copy, env=variables, check=True, timeout=550)
    return {line["id"]: line["output"] for line in parse((out / "outputs.jsonl").read_text())}


def mean_score(task: str, cases: Cases, outputs: dict[str, Any]) -> float:
    score = load(TASKS / task / "tests/reference/metrics.py").score
    return float(sum(score(case, outputs[case["id"]])["score"] for case in cases) / len(cases))


def failed_checks(task: str, cases: Cases, outputs: dict[str, Any]) -> list[str]:
    """Requirements whose check fails."""
    reference = TASKS / task / "tests/reference"
    checks = load(reference / f"test_{task}.py")
    failed = []
    for requirement, names in tomllib.loads((reference / "harness.toml").read_text())["requirements"].items():
        try:
            for name in names:
                getattr(checks, name)(cases, outputs)
        except AssertionError:
            failed.append(requirement)
    return failed


def submissions(kind: str) -> list[Any]:
    found = sorted(TASKS.glob(f"*/tests/reference/{kind}/*"))
    return [pytest.param(path.parents[3].name, path, id=f"{path.parents[3].name}-{path.name}") for path in found]


def few(task: str) -> Cases:
    """Public cases: all of an exact task, three of a slow one."""
    return committed(task)["public"][: None if task in EXACT else 3]


def test_every_task_directory_is_listed_here_and_in_the_readme() -> None:
    found = {path.parent.name for path in TASKS.glob("*/task.toml")}
    readme = (TASKS / "README.md").read_text()
    assert found == set(ALL)
    assert [name for name in ALL if f"`{name}`" not in readme] == []


@pytest.mark.parametrize("task", ALL)
def test_the_task_file_names_files_that_exist_and_requirements_that_the_reference_checks(task: str) -> None:
    root = TASKS / task
    config = tomllib.loads((root / "task.toml").read_text())
    ours = config["metadata"]["evalwright"]
    named = [ours["paper"], ours["public"], ours["splits"]["public"], ours["splits"]["validation"]]
    named += [ours["splits"]["test"]["generator"], "instruction.md", "environment/Dockerfile", "tests/test.sh"]
    named += ["solution/solve.sh", "solution/submission/reproduce.sh", "tests/reference/metrics.py"]
    harness = tomllib.loads((root / "tests/reference/harness.toml").read_text())
    assert config["schema_version"] == "1.4"
    assert [name for name in named if not (root / name).exists()] == []
    assert {r["id"] for r in ours["requirements"]} == set(harness["requirements"])


def test_the_verifier_scripts_differ_in_their_time_limit_only() -> None:
    scripts = {
        line
        for task in ALL
        for line in (TASKS / task / "tests/test.sh").read_text().splitlines()
        if "TIMEOUT:-" not in line
    }
    first = set((TASKS / "welch/tests/test.sh").read_text().splitlines())
    assert scripts <= first


@pytest.mark.parametrize("task", EXACT)
def test_committed_cases_are_what_the_generator_prints(task: str) -> None:
    for split, seed, file in COMMITTED:
        assert generated(task, split, seed) == (TASKS / task / file).read_text()


@pytest.mark.parametrize("task", ALL)
def test_no_id_and_no_input_is_in_two_splits(task: str) -> None:
    cases = [case for split in committed(task).values() for case in split]
    cases += parse(generated(task, "test", "101"))
    assert len({case["id"] for case in cases}) == len(cases)
    assert len({json.dumps(case["input"], sort_keys=True) for case in cases}) == len(cases)


@pytest.mark.parametrize("task", ALL)
def test_the_oracle_scores_one_on_committed_and_fresh_cases(task: str, tmp_path: Path) -> None:
    """All of an exact task; three public and three fresh ones of a slow one, which has three kinds that take turns."""
    exact = task in EXACT
    cases = [case for split in committed(task).values() for case in split] if exact else few(task)
    for seed in ("101", "102", "103", "104", "105") if exact else ("101",):
        fresh = parse(generated(task, "test", seed))[: None if exact else 3]
        cases += [{**case, "id": f"{seed}-{case['id']}"} for case in fresh]
    outputs = run(TASKS / task / "solution/submission", task, cases, tmp_path)
    assert mean_score(task, cases, outputs) == 1.0
    assert failed_checks(task, cases, outputs) == []


@pytest.mark.parametrize(("task", "submission"), submissions("probes"))
def test_a_plausible_wrong_submission_scores_below_one_and_fails_a_check(
    task: str, submission: Path, tmp_path: Path
) -> None:
    cases = few(task)
    outputs = run(submission, task, cases, tmp_path)
    assert mean_score(task, cases, outputs) < 1.0
    assert failed_checks(task, cases, outputs) != []


@pytest.mark.parametrize(("task", "submission"), submissions("variants"))
def test_another_right_implementation_is_accepted(task: str, submission: Path, tmp_path: Path) -> None:
    cases = few(task)
    outputs = run(submission, task, cases, tmp_path)
    assert mean_score(task, cases, outputs) == 1.0
    assert failed_checks(task, cases, outputs) == []


def test_every_task_has_three_wrong_submissions_and_a_right_one() -> None:
    for task in ALL:
        reference = TASKS / task / "tests/reference"
        assert len(list(reference.glob("probes/*/reproduce.sh"))) >= 3
        assert len(list(reference.glob("variants/*/reproduce.sh"))) >= 1


@pytest.mark.parametrize("task", ALL)
@pytest.mark.parametrize("junk", [None, True, "1", [], {}, float("nan"), 10**400, {"t": 10**400, "theta": [[]]}])
def test_an_output_of_the_wrong_shape_scores_zero_and_does_not_break_the_metric(task: str, junk: Any) -> None:
    case = {**committed(task)["public"][0]}
    assert load(TASKS / task / "tests/reference/metrics.py").score(case, junk)["score"] == 0.0


def oracle(task: str, given: Any, tmp_path: Path) -> Any:
    return run(TASKS / task / "solution/submission", task, [{"id": "one", "input": given}], tmp_path)["one"]


def test_welch_agrees_with_the_published_sleep_data(tmp_path: Path) -> None:
    """Student (1908), Biometrika 6, "The probable error of a mean"; R's `t.test(extra ~ group, data = sleep)` documents
    t = -1.8608, df = 17.776, p-value = 0.07939."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    answer = oracle("welch", {"a": first, "b": second}, tmp_path)
    assert [round(answer["t"], 4), round(answer["df"], 3), round(answer["p"], 5)] == [-1.8608, 17.776, 0.07939]


def test_welch_agrees_with_a_value_worked_by_hand_for_unequal_sizes(tmp_path: Path) -> None:
    """Variances 1 and 20/3: standard errors squared 1/3 and 5/3, t = -3 / sqrt(2), df = 4 / (1/18 + 25/27) = 216/53."""
    answer = oracle("welch", {"a": [1, 2, 3], "b": [2, 4, 6, 8]}, tmp_path)
    assert answer["t"] == pytest.approx(-3 / 2**0.5, rel=1e-12)
    assert answer["df"] == pytest.approx(216 / 53, rel=1e-12)


def test_welch_p_agrees_with_the_closed_form_for_two_degrees_of_freedom(tmp_path: Path) -> None:
    """Student's distribution with 2 degrees of freedom: p = 1 - |t| / sqrt(2 + t^2), here with t^2 = 4.5."""
    answer = oracle("welch", {"a": [0, 2], "b": [3, 5]}, tmp_path)
    assert answer["df"] == pytest.approx(2.0, rel=1e-12)
    assert answer["p"] == pytest.approx(1 - (4.5 / 6.5) ** 0.5, rel=1e-9)


def test_welch_cases_have_tiny_variances_and_unequal_sizes_and_no_p_near_underflow() -> None:
    cases = committed("welch")["validation"]
    sizes = [(len(case["input"]["a"]), len(case["input"]["b"])) for case in cases]
    assert min(case["expected"]["p"] for case in cases) > 1e-6
    assert any(b >= 5 * a for a, b in sizes)
    assert any(max(case["input"]["a"]) - min(case["input"]["a"]) < 1e-3 for case in cases)


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [
        (5, 2, 2, 0.7),  # 1 - 3/10
        (5, 4, 2, 1.0),  # one wrong sample: every pair holds a right one
        (10, 0, 3, 0.0),
        (200, 50, 1, 0.25),  # k = 1 is the success rate
        (10_000, 1, 100, 0.01),  # one right sample is among the 100 drawn with probability k / n
    ],
)
def test_pass_at_k_agrees_with_values_worked_by_hand(n: int, c: int, k: int, expected: float, tmp_path: Path) -> None:
    assert oracle("pass_at_k", {"n": n, "c": c, "k": k}, tmp_path) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_adam_agrees_with_a_step_worked_by_hand(tmp_path: Path) -> None:
    """m = 0.2, v = 0.004, corrected 2 and 4, so theta = 1 - 0.1 * 2 / (2 + 0.5) = 0.92: eps stands beside the root."""
    given = {"theta": [1.0], "grads": [[2.0]], "lr": 0.1, "beta1": 0.9, "beta2": 0.999, "eps": 0.5}
    answer = oracle("adam", given, tmp_path)
    assert answer["theta"] == pytest.approx([0.92], rel=1e-12)
    assert answer["m"] == pytest.approx([0.2], rel=1e-12)
    assert answer["v"] == pytest.approx([0.004], rel=1e-9)


def test_adam_moves_by_the_step_size_under_a_constant_gradient(tmp_path: Path) -> None:
    """Kingma & Ba (2015), section 2.1: a constant gradient gives m_hat = g, v_hat = g^2, so a step is lr along -g."""
    given = {"theta": [0.0, 0.0], "grads": [[3.0, -0.5]] * 4, "lr": 0.01, "beta1": 0.8, "beta2": 0.9, "eps": 1e-12}
    assert oracle("adam", given, tmp_path)["theta"] == pytest.approx([-0.04, 0.04], rel=1e-9)


def test_kmeans_intervals_tell_the_two_seedings_apart_before_and_after_lloyd() -> None:
    for case in [case for split in committed("kmeans_pp").values() for case in split]:
        expected = case["expected"]
        assert expected["kmeanspp_seeding"]["high"] < expected["uniform_seeding"]["low"]
        assert expected["kmeanspp_final"]["high"] < expected["uniform_final"]["low"]


def test_random_label_intervals_tell_true_half_random_and_random_labels_apart() -> None:
    cases = [case for split in committed("random_labels").values() for case in split]
    by_share = {
        share: [case["expected"]["test_accuracy"] for case in cases if case["input"]["corruption"] == share]
        for share in (0.0, 0.5, 1.0)
    }
    assert min(x["low"] for x in by_share[0.0]) > 0.6  # far above chance
    assert all(x["low"] < 0.1 < x["high"] < 0.4 for x in by_share[1.0])  # chance for ten classes
    assert all(x["low"] > 0.1 and x["high"] < 0.8 for x in by_share[0.5])


def test_labels_of_validation_and_test_rows_are_not_in_the_public_data() -> None:
    rows = (TASKS / "random_labels/public/digits.csv").read_text().splitlines()
    assert {row.rsplit(",", 1)[1] for row in rows[1200:]} == {"-1"}
    validation = committed("random_labels")["validation"]
    assert min(case["input"]["test_rows"][0] for case in validation) >= 1200

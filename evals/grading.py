"""Submission × harness × split → Score, across two containers.

The submission runs in a fresh solution container without network that holds the case inputs and nothing else. What it
wrote is collected as data, parsed strictly by the orchestrator (evals/outputs.py), and only then handed, beside the
expectations, to a fresh grading container that holds the harness and none of the submission's code. So a submission can
neither read an expectation nor touch the code that judges it.

Failures are attributed here, once: the submission's (`submission_failed`), the harness's (`harness_invalid`), nobody's
(`infrastructure_failed`). What the grading container returns is the harness's word: its shape is checked, its honesty
is the gate's business (harness_builder/gate.py).
"""

import json
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Literal, TypeVar

from evals.harness import Harness
from evals.outputs import MAX_BYTES, OutputsError, parse_outputs
from evals.score import CaseScore, Score, ScoreState, mean
from evals.splits import Split
from tools.errors import EnvironmentFailure, ToolError
from tools.files import FileTree
from tools.sandbox import BoxLost, BoxSpec, Completed, Limits, Sandbox, Sandboxes

LOG_BYTES = 4_000
RESULT_BYTES = 32_000_000
SAID_CHARS = 2_500
PYTEST_STATUS = {"2": "a check cannot be collected", "5": "no check was collected"}
BOX_GRACE_SEC = 30.0
BATCH_SEC = 600.0
"""What many gradings in one box may take together, unless a few of them may take longer."""
DEFAULT_LIMITS = Limits()
NO_FILES = FileTree({})

T = TypeVar("T")
Role = Literal["solution", "grading"]


@dataclass(frozen=True)
class Collected:
    """What one run of a submission left: outputs by id, or why there are none; and the tail of its log."""

    outputs: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""
    log: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Circumstances:
    """What must not matter to a harness, and is changed by the gate to see whether it does."""

    time_zone: str = ""
    clock_shift_sec: float = 0.0
    """By how much the clocks that Python programs read are off."""
    shuffle: int = 0
    """Cases and outputs are handed over in the order of this seed; 0 is their own order."""
    kill: Literal["", "metrics", "checks"] = ""
    """The part that is killed half-way."""

    @property
    def environment(self) -> dict[str, str]:
        given = {"TZ": self.time_zone, "CLOCK_SHIFT": f"{self.clock_shift_sec:g}" if self.clock_shift_sec else ""}
        return {name: value for name, value in {**given, "KILL": self.kill}.items() if value}

    def order(self, items: Sequence[T]) -> list[T]:
        """The items in the order they are handed over in."""
        return random.Random(self.shuffle).sample(items, len(items)) if self.shuffle else list(items)


PLAIN = Circumstances()


@dataclass(frozen=True)
class Grading:
    """Outputs to be judged, by which cases, under which circumstances."""

    outputs: Mapping[str, Any]
    split: Split
    under: Circumstances = PLAIN

    @property
    def files(self) -> dict[str, bytes]:
        """What the grading container gets of it."""
        handed = self.under.order(list(self.outputs.items()))
        lines = "".join(json.dumps({"id": name, "output": output}) + "\n" for name, output in handed)
        cases = Split(self.split.name, tuple(self.under.order(self.split.cases))).cases_jsonl()
        return {"cases.jsonl": cases, "outputs.jsonl": lines.encode()}


class HarnessFault(Exception):
    """The harness did not deliver a usable result; `said` is what it left instead, which may tell expectations."""

    def __init__(self, problem: str, said: object = "") -> None:
        super().__init__(problem)
        self.problem, self.said = problem, str(said).strip()[:SAID_CHARS]

    def told_of(self, split: Split) -> str:
        """What anyone may read: the harness is quoted on the public split only, whose expectations are known."""
        return f"{self.problem}: {self.said}" if self.said and split.name == "public" else self.problem


@dataclass(frozen=True)
class Grader:
    """Grades submissions in fresh containers of one image.

    `submission_sec` bounds one run of reproduce.sh, in seconds; `limits` bound both containers; `public` is the task's
    public folder, which lies at /workspace/public when a submission runs, as it does where the agent works.
    """

    sandboxes: Sandboxes
    image: str
    run_id: str
    submission_sec: float = 60.0
    limits: Limits = DEFAULT_LIMITS
    public: FileTree = NO_FILES

    def grade(self, submission: FileTree, harness: Harness, split: Split) -> Score:
        """Run the submission on the split's inputs and have the harness judge its outputs."""
        started = time.monotonic()
        try:
            collected = self.collect(submission, split)
            if collected.failure:
                score = Score(ScoreState.SUBMISSION_FAILED, detail=collected.failure, log=collected.log)
            else:
                score = self._judge(collected.outputs, harness, split, collected.log)
        except EnvironmentFailure as error:
            score = Score(ScoreState.INFRASTRUCTURE_FAILED, detail=str(error))
        return _timed(score, started)

    def judge(self, outputs: Mapping[str, Any], harness: Harness, split: Split, under: Circumstances = PLAIN) -> Score:
        """Have the harness judge outputs that are already data; used by the gate's own submissions."""
        started = time.monotonic()
        try:
            score = self._judge(outputs, harness, split, "", under)
        except EnvironmentFailure as error:
            score = Score(ScoreState.INFRASTRUCTURE_FAILED, detail=str(error))
        return _timed(score, started)

    def judge_each(self, gradings: Sequence[Grading], harness: Harness) -> list[Score]:
        """Judge many outputs in one box, one after the other; what breaks the box is judged again in fresh ones."""
        try:
            results = self._in_fresh_box("grading", lambda box: _batch_in(box, gradings, harness), _no_results)
        except EnvironmentFailure as error:
            return [Score(ScoreState.INFRASTRUCTURE_FAILED, detail=str(error)) for _ in gradings]
        if results is None:
            return [self.judge(each.outputs, harness, each.split, each.under) for each in gradings]
        return [_batched_score(*pair, harness) for pair in zip(results, gradings, strict=True)]

    def collect(self, submission: FileTree, split: Split) -> Collected:
        """Run `reproduce.sh` in a fresh solution container, collect `outputs.jsonl`; never raises for what it did."""
        if "reproduce.sh" not in submission:
            return Collected(failure="the submission has no reproduce.sh")
        return self._in_fresh_box("solution", lambda box: self._collect_in(box, submission, split), _box_died)

    def _collect_in(self, box: Sandbox, submission: FileTree, split: Split) -> Collected:
        box.put(self.public, "/workspace/public")
        box.put(FileTree({"inputs.jsonl": split.inputs_jsonl()}), "/workspace/cases")
        try:
            box.put(submission, "/workspace/submission")
        except ToolError as error:
            return Collected(failure=f"the submission does not fit into the container: {error}")
        box.run(["mkdir", "-p", "/workspace/out"], timeout=BOX_GRACE_SEC)
        done = box.run(
            ["bash", "reproduce.sh"],
            timeout=self.submission_sec,
            cwd="/workspace/submission",
            env={"CASES": "/workspace/cases/inputs.jsonl", "OUT": "/workspace/out"},
            output_limit=200_000,
        )
        log = _log(done)
        if done.timed_out:
            return Collected(
                failure=f"reproduce.sh ran longer than {self.submission_sec:g} s", log=log, seconds=done.seconds
            )
        if done.exit_code != 0:
            return Collected(failure=f"reproduce.sh ended with status {done.exit_code}", log=log, seconds=done.seconds)
        try:
            collected = box.get("/workspace/out/outputs.jsonl", max_files=1, max_bytes=MAX_BYTES)
            outputs = parse_outputs(collected.files["outputs.jsonl"], {case.id for case in split.cases})
        except KeyError:
            return Collected(failure="$OUT/outputs.jsonl is not a plain file", log=log, seconds=done.seconds)
        except (ToolError, OutputsError) as error:
            return Collected(failure=f"no usable $OUT/outputs.jsonl: {error}", log=log, seconds=done.seconds)
        return Collected(outputs=outputs, log=log, seconds=done.seconds)

    def _judge(
        self, outputs: Mapping[str, Any], harness: Harness, split: Split, log: str, under: Circumstances = PLAIN
    ) -> Score:
        try:
            result = self._in_fresh_box(
                "grading", lambda box: self._result_in(box, outputs, harness, split, under), _raise_fault
            )
            return _score(result, outputs, harness, split, log)
        except HarnessFault as fault:
            return Score(ScoreState.HARNESS_INVALID, detail=fault.told_of(split), log=log, outputs=outputs)
        except OutputsError as error:
            return Score(ScoreState.SUBMISSION_FAILED, detail=f"no usable $OUT/outputs.jsonl: {error}", log=log)

    def _result_in(
        self, box: Sandbox, outputs: Mapping[str, Any], harness: Harness, split: Split, under: Circumstances
    ) -> Any:
        program = {"grader.py": _program("grader.py").encode()}
        try:
            box.put(FileTree({**program, **Grading(outputs, split, under).files}), "/workspace")
        except ToolError as error:
            raise OutputsError(f"the outputs do not fit into the grading container: {error}") from None
        try:
            box.put(harness.grading_tree, "/workspace/harness")
        except ToolError as error:
            raise HarnessFault("the harness does not fit into the grading container", error) from None
        done = box.run(["python3", "-I", "grader.py"], timeout=harness.grading_sec, env=under.environment)
        if done.timed_out:
            raise HarnessFault(f"grading ran longer than {harness.grading_sec:g} s")
        try:
            written = box.get("/workspace/result.json", max_files=1, max_bytes=RESULT_BYTES)
            return _read_result(written.files["result.json"])
        except (ToolError, KeyError, ValueError, RecursionError) as error:
            problem = f"grading left no readable result (status {done.exit_code})"
            raise HarnessFault(problem, f"{error}; {_log(done)}") from None

    def _in_fresh_box(self, role: Role, act: Callable[[Sandbox], T], blame: Callable[[str], T]) -> T:
        """Act in a fresh box. One that its content brought down is tried once more, then its content is to blame."""
        spec = BoxSpec(image=self.image, role=role, run_id=self.run_id, limits=self.limits)
        for last_try in (False, True):
            with self.sandboxes.open(spec) as box:
                try:
                    return act(box)
                except BoxLost as lost:
                    if not lost.by_code_inside:
                        raise
                    if last_try:
                        return blame(lost.problem)
        raise AssertionError("unreachable: the second try returns or raises")


def _program(name: str) -> str:
    return files("evals").joinpath(f"box/{name}").read_text(encoding="utf-8")


def _batch_in(box: Sandbox, gradings: Sequence[Grading], harness: Harness) -> list[dict[str, Any]] | None:
    """What box/batch.py says of each grading; None when it did not get through."""
    tree = {f"harness/{path}": data for path, data in harness.grading_tree.files.items()}
    batch_sec = min(len(gradings) * (harness.grading_sec + 1), max(BATCH_SEC, 3 * harness.grading_sec))
    work = {
        "grader": _program("grader.py"),
        "modules": harness.imports,
        "grading_sec": harness.grading_sec,
        "batch_sec": batch_sec,
        "jobs": [
            {"files": _as_text({**tree, **grading.files}), "environment": grading.under.environment}
            for grading in gradings
        ],
    }
    done = box.run(
        ["python3", "-I", "-c", _program("batch.py")],
        timeout=batch_sec + harness.grading_sec + BOX_GRACE_SEC,
        stdin=json.dumps(work).encode(),
        output_limit=RESULT_BYTES,
    )
    try:
        results = [_read_result(line) for line in done.stdout.splitlines()]
    except (ValueError, RecursionError):
        return None
    usable = done.exit_code == 0 and len(results) == len(gradings) and all(isinstance(each, dict) for each in results)
    return results if usable else None


def _as_text(tree: Mapping[str, bytes]) -> dict[str, str]:
    return {path: data.decode("utf-8", errors="surrogateescape") for path, data in tree.items()}


def _no_results(_: str) -> None:
    return None


def _batched_score(said: Mapping[str, Any], grading: Grading, harness: Harness) -> Score:
    try:
        if said.get("problem") == "late":
            raise HarnessFault(f"grading ran longer than {harness.grading_sec:g} s")
        if "result" not in said:
            raise HarnessFault("grading left no readable result", said.get("said"))
        return _score(said["result"], grading.outputs, harness, grading.split, "")
    except HarnessFault as fault:
        return Score(ScoreState.HARNESS_INVALID, detail=fault.told_of(grading.split), outputs=grading.outputs)


def _box_died(problem: str) -> Collected:
    return Collected(failure=problem)


def _raise_fault(problem: str) -> Any:
    raise HarnessFault(problem)


def _score(result: Any, outputs: Mapping[str, Any], harness: Harness, split: Split, log: str) -> Score:
    checks, messages = _checks(_part(result, "checks"), harness)
    cases = _case_scores(_part(result, "metrics"), outputs, harness, split)
    value = mean([case.metrics[harness.metric.name] for case in cases])
    return Score(
        ScoreState.SCORED,
        value=value,
        accepted=harness.metric.accepts(value) and all(checks.values()),
        cases=cases,
        checks=checks,
        messages=messages,
        log=log,
        outputs=outputs,
    )


def _read_result(data: bytes) -> Any:
    """The result as JSON; ValueError for what no JSON text in UTF-8 can hold, and the ledger could not keep."""
    result = json.loads(data)
    json.dumps(result, ensure_ascii=False).encode()
    return result


def _part(result: Any, name: str) -> dict[str, Any]:
    part = result.get(name) if isinstance(result, dict) else None
    if not isinstance(part, dict):
        raise HarnessFault(f"the grading result has no {name}")
    if "error" in part:
        raise HarnessFault(f"the {name} left no result", f"{part['error']}\n{part.get('log', '')}")
    return part


def _checks(part: dict[str, Any], harness: Harness) -> tuple[dict[str, bool], dict[str, str]]:
    """Check name → passed (all its parameter sets), and the first message of each that failed."""
    passed: dict[str, bool] = {}
    messages: dict[str, str] = {}
    for report in _reports(part):
        name = _check_name(report["test"], harness)
        if report["outcome"] not in ("passed", "failed"):
            raise HarnessFault(f"check {name} is skipped; a check must pass or fail", report["message"])
        passed[name] = passed.get(name, True) and report["outcome"] == "passed"
        if report["outcome"] == "failed":
            messages.setdefault(name, report["message"][:SAID_CHARS])
    if not passed:
        raise HarnessFault("no check was collected")
    absent = sorted({check for names in harness.requirements.values() for check in names} - set(passed))
    if absent:
        raise HarnessFault(f"harness.toml maps requirements to checks that do not exist: {', '.join(absent)}")
    return passed, messages


def _reports(part: dict[str, Any]) -> list[dict[str, str]]:
    """The reports of checks that ran to their end, whichever way."""
    reports, status = part.get("reports"), part.get("status")
    if not isinstance(reports, list) or not all(map(_is_report, reports)):
        raise HarnessFault("the checks left a malformed result")
    if status not in (0, 1):
        said = next((report["message"] for report in reports if report["message"]), "")
        raise HarnessFault(PYTEST_STATUS.get(str(status), "the checks did not run to their end"), said)
    hidden = next((report for report in reports if report["outcome"] == "uncollected"), None)
    if hidden is not None:
        raise HarnessFault("a file of checks fails or skips itself", f"{hidden['test']}: {hidden['message']}")
    return reports


def _is_report(report: Any) -> bool:
    return isinstance(report, dict) and all(isinstance(report.get(key), str) for key in ("test", "outcome", "message"))


def _check_name(test: str, harness: Harness) -> str:
    """The function's name out of a pytest node id; parameters, or names made at run time, could tell expectations."""
    name = test.split("[", 1)[0].rsplit("::", 1)[-1]
    if name not in harness.functions:
        raise HarnessFault("a check has a name that is written in no test_*.py", name)
    return name


def _case_scores(
    part: dict[str, Any], outputs: Mapping[str, Any], harness: Harness, split: Split
) -> tuple[CaseScore, ...]:
    metric, scored = harness.metric, part.get("cases")
    if not isinstance(scored, dict):
        raise HarnessFault("the metrics result has no cases")
    return tuple(
        CaseScore(case.id, _metrics_of(scored.get(case.id), case.id, harness))
        if case.id in outputs
        else CaseScore(case.id, {metric.name: metric.worst}, missing=True)
        for case in split.cases
    )


def _metrics_of(metrics: Any, case_id: str, harness: Harness) -> dict[str, float]:
    metric = harness.metric
    if not isinstance(metrics, dict) or metric.name not in metrics:
        raise HarnessFault(f"score() gave no {metric.name!r} for case {case_id}", f"it gave {str(metrics)[:200]}")
    values = {str(name): _finite(value, name, case_id) for name, value in metrics.items()}
    low, high = metric.bounds
    if not low <= values[metric.name] <= high:
        said = f"score() gave {values[metric.name]} for case {case_id}, outside its bounds [{low}, {high}]"
        raise HarnessFault("a score is out of bounds", said)
    return values


def _finite(value: Any, name: Any, case_id: str) -> float:
    if isinstance(value, int | float) and abs(value) <= sys.float_info.max:
        return float(value)
    raise HarnessFault("a score is no finite number", f"score() gave {name} = {value!r:.200} for case {case_id}")


def _log(done: Completed) -> str:
    """The tail of both streams: stderr last, since that is where an error says what it is."""
    text = b"\n".join(part for part in (done.stdout[-LOG_BYTES:], done.stderr[-LOG_BYTES:]) if part)
    return text.decode("utf-8", errors="replace").strip()


def _timed(score: Score, started: float) -> Score:
    return replace(score, seconds=time.monotonic() - started)

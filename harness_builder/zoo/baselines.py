"""What is commonly done to check an evaluation, run on the same zoo: three baselines beside the gate.

Each says whether it would let a harness pass. `oracle_and_null`: a correct submission passes, an empty one and one of
nulls fail. `mutation_score`: at least 80% of the mutants of a correct program whose outputs differ are refused.
`coverage`: at least 80% of the harness's lines run when it judges a correct submission.
"""

import json
from collections.abc import Callable
from importlib.resources import files

from evals.grading import Grading
from harness_builder.evidence import Evidence
from harness_builder.mutate import mutants
from harness_builder.shapes import same
from tools.files import FileTree
from tools.sandbox import BoxSpec

LEAST = 0.8
MUTANTS = 24


def oracle_and_null(evidence: Evidence) -> bool:
    right, split = evidence.right_outputs, evidence.validation
    candidates = [right, {}, dict.fromkeys(right)]
    scores = evidence.judge_each([Grading(outputs, split) for outputs in candidates])
    return [score.accepted for score in scores] == [True, False, False]


def mutation_score(evidence: Evidence) -> bool:
    right, split = evidence.right_outputs, evidence.validation
    _, submission = next(reversed(evidence.right_submissions.items()))
    programs = mutants(submission, MUTANTS)
    collected = evidence.slots.each(programs, lambda program: evidence.grader.collect(program.tree, split))
    different = [each.outputs for each in collected if each.outputs and not same(dict(each.outputs), right)]
    scores = evidence.judge_each([Grading(outputs, split) for outputs in different])
    return sum(not score.accepted for score in scores) >= LEAST * len(scores)


def coverage(evidence: Evidence) -> bool:
    grader, grading = evidence.grader, Grading(evidence.right_outputs, evidence.validation)
    programs = {
        "grader.py": files("evals").joinpath("box/grader.py").read_bytes(),
        "coverage.py": files("harness_builder").joinpath("box/coverage.py").read_bytes(),
    }
    spec = BoxSpec(image=grader.image, role="grading", run_id=grader.run_id, limits=grader.limits)
    with grader.sandboxes.open(spec) as box:
        box.put(FileTree({**programs, **grading.files}), "/workspace")
        box.put(evidence.harness.grading_tree, "/workspace/harness")
        done = box.run(["python3", "-I", "coverage.py"], timeout=evidence.harness.grading_sec * 10)
    try:
        counted = json.loads(done.stdout)
    except ValueError:
        return False
    return bool(counted["run"] >= LEAST * counted["lines"])


BASELINES: dict[str, Callable[[Evidence], bool]] = {
    "oracle_and_null": oracle_and_null,
    "mutation_score": mutation_score,
    "coverage": coverage,
}

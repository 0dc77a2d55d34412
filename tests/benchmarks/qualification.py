"""What a qualification costs: in seconds, and in gradings by the same harness in a fresh box.

The harness is a bundled task's reference, made as slow as asked for: a typical one works 0.2 s a grading. Everything is
measured in one run, with nothing else on the machine if it is to mean anything.

    python tests/benchmarks/qualification.py [--work SECONDS] [TASK ...]
"""

import argparse
import os
import statistics
import time

import docker

from evals.grading import Grader
from evals.harness import parse_harness
from evals.score import Score
from evals.task import Task, load_task
from harness_builder.gate import Gate
from tools.docker import DockerSandboxes
from tools.files import FileTree
from tools.image import build_task_image, ensure_base_image

REPEATS = 5
WORK = "sum(number * number for number in range({turns}))"
"""Names no clock: the gate looks at harnesses that do more often."""
TRIED = 2_000_000


def slower(tree: FileTree, seconds: float) -> FileTree:
    """The harness with so much more work for the processor in every grading, as fast as it is just now."""
    started = time.process_time()
    exec(WORK.format(turns=TRIED))
    turns = round(TRIED * seconds / (time.process_time() - started))
    source = f"{tree.text('metrics.py')}\n\n{WORK.format(turns=turns)}\n"
    return tree.merged(FileTree({"metrics.py": source.encode()}))


def measure(task: Task, tree: FileTree) -> None:
    client = docker.from_env()
    tag = build_task_image(client, task.environment, ensure_base_image(client, print).tag)
    seconds = task.ours.submission.timeout_sec
    grader = Grader(DockerSandboxes(), tag, "benchmark", seconds, task.limits, task.public_files)
    harness = parse_harness(tree)
    outputs = {case.id: case.expected for case in task.validation.cases}

    def graded() -> Score:
        return grader.judge(outputs, harness, task.validation)

    grading = statistics.median(graded().seconds for _ in range(REPEATS))
    qualification = Gate(task, grader, candid=True).qualify(tree)
    print(f"{task.slug}: {qualification.verdict} in {qualification.seconds:.1f} s")
    print(f"  a grading in a fresh box: {grading:.2f} s; a qualification costs {qualification.seconds / grading:.0f}")
    for check in sorted(qualification.checks, key=lambda check: -check.seconds):
        if check.seconds >= 0.1:
            print(f"  {check.id:>4} {check.seconds:5.1f} s  {check.title}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("tasks", nargs="*", default=["welch"], metavar="TASK")
    options.add_argument("--work", type=float, default=0.2, metavar="SECONDS")
    chosen = options.parse_args()
    print(f"{os.cpu_count()} processors, {chosen.work:g} s of work added to every grading; checks run side by side")
    for name in chosen.tasks:
        task = load_task(name)
        if task.reference is None:
            raise SystemExit(f"{name} has no reference harness")
        measure(task, slower(task.reference.tree, chosen.work))


if __name__ == "__main__":
    main()

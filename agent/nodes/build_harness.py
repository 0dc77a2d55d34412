"""build_harness: write the harness, or mend the one the gate refused.

A depth search edits the files of a scaffold with its tools. A tree search, made for small models, only decides the
plan of the scaffold, under a schema; when its decisions are refused too often, the plan read off the public cases is
used, and the record says so.
"""

import json
from dataclasses import asdict

from agent import snapshots
from agent.converse import converse
from agent.model import Request
from agent.prompts import render
from agent.run import Run
from agent.state import State
from harness_builder.qualification import Check, Qualification
from harness_builder.scaffold import Plan, build, default_plan, output_fields, plan_from, plan_schema
from tools.files import FileTree

DECISIONS = 2
"""How many plans a small model may propose before the default plan is taken."""


def build_harness(run: Run, state: State) -> State:
    run.journal.append("phase.entered", {"phase": "build_harness"})
    version = state.get("harness_version", 0) + 1
    write = _decide if run.settings.search == "tree" else _edit
    tree, origin = write(run, version)
    digest = run.freeze("harness", tree, version=version, origin=origin)
    return {"harness": digest, "harness_version": version}


def _edit(run: Run, version: int) -> tuple[FileTree, str]:
    if version == 1:
        if run.journal.last(snapshots.KIND) is None:  # else an earlier life has edited it already
            run.workspace.put(build(default_plan(run.task)), "/workspace/harness")
        run.transcript.say("user", render("build_harness"))
    else:
        refused = last_qualification(run)
        run.transcript.say("user", render("rejected", verdict=refused.verdict, advice=refused.advice()))
    return converse(run, "build_harness"), "written by the model"


def _decide(run: Run, version: int) -> tuple[FileTree, str]:
    if version > DECISIONS:
        return build(default_plan(run.task)), "read off the public cases, since the model's plans were refused"
    refused = last_qualification(run) if version > 1 else None
    advice = f"Your last decisions were refused:\n{refused.advice()}" if refused else ""
    prompt = render("plan_harness", fields=", ".join(output_fields(run.task.public)), advice=advice)
    request = Request(
        purpose="build_harness",
        messages=(*run.transcript.messages, {"role": "user", "content": prompt}),
        schema=plan_schema(run.task),
        max_tokens=400,
        temperature=0.0 if version == 1 else 0.8,
        seed=run.settings.seed + version,
    )
    plan = _parse(run, run.ask(request, thread=False).content)
    run.journal.append("harness.plan", {"version": version, "plan": asdict(plan)})
    return build(plan), "planned by the model"


def _parse(run: Run, text: str) -> Plan:
    try:
        decisions = json.loads(text)
    except ValueError:
        decisions = None
    return plan_from(decisions, run.task)


def last_qualification(run: Run) -> Qualification:
    """The gate's newest word, as recorded."""
    verdict = run.journal.last("harness.verdict")
    if verdict is None:
        raise LookupError("no harness has been through the gate")
    return Qualification(verdict["digest"], tuple(Check(**check) for check in verdict["checks"]))

"""The main job, whole: every bundled task from study to a promoted submission, then audited.

The script writes the task's reference harness and hands in its oracle; so the harness has to qualify, the submission
has to be scored 1.0, and the sealed test split has to confirm it. The slow tasks leave out the reference's own probes
and variants, which tests/evals already run.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from evals.ledger import Ledger
from evals.task import load_task

SLOW = ("kmeans_pp", "random_labels")


@pytest.mark.parametrize("name", ["welch", "pass_at_k", "adam", *SLOW])
def test_a_task_is_replicated_and_the_sealed_test_confirms_it(name: str, house: Any, script: Any) -> None:
    task = load_task(name)
    assert task.reference is not None and task.oracle is not None
    harness = task.reference.grading_tree if name in SLOW else task.reference.tree
    script.study().hand_in("build_harness", "harness", harness).hand_in("attempt", "submission", task.oracle)

    house.gate_remembers = False
    done = house.run(name, script, "--json")
    assert done.code == 0, done.err
    facts = done.json
    assert (facts["state"], facts["best_validation"]) == ("finished", 1.0)
    assert facts["reason"] == "the best possible validation score is reached"
    assert [harness["verdict"] for harness in facts["harnesses"]] == ["qualified"]
    assert [(each["split"], each["state"], each["accepted"]) for each in facts["submissions"]] == [
        ("public", "scored", True),
        ("validation", "scored", True),
    ]

    audited = house.call("audit", "last", "--json", "--who", "a reviewer", "--why", "the test")
    assert audited.code == 0, audited.err
    found = audited.json
    assert (found["recorded"], found["validation"], found["sealed"], found["reference"]) == (1.0, 1.0, 1.0, 1.0)
    assert (found["gap"], found["chain"], found["holds"], found["problems"]) == (0.0, "intact", True, [])
    assert (found["submission"], found["harness"]) == (task.oracle.digest, harness.digest)
    with Ledger.open(house.db, create=False) as ledger:
        assert ledger.verify() == []


def test_the_record_tells_the_whole_run_in_order(solved: Any) -> None:
    with Ledger.open(solved.db, create=False) as ledger:
        kinds = [event.kind for event in ledger.events(ledger.run("last").id)]
        phases = [event.data["phase"] for event in ledger.events(ledger.run("last").id, kinds={"phase.entered"})]
    assert phases == ["study", "build_harness", "qualify", "attempt", "score", "reflect"]
    assert kinds[:3] == ["run.started", "task.registered", "seal.committed"]
    milestones = ["harness.frozen", "harness.verdict", "submission.frozen", "submission.scored", "submission.promoted",
                  "run.finished", "seal.opened", "audit.finished"]  # fmt: skip
    places = [kinds.index(kind) for kind in milestones]
    assert places == sorted(places), "nothing is scored before the harness is frozen and qualified"


def test_an_opened_seal_names_who_and_why(solved: Any) -> None:
    committed, opened = solved.events("seal.committed"), solved.events("seal.opened")
    # Other tests may audit the shared run again; this is its first opening.
    assert (opened[0]["who"], opened[0]["why"]) == ("a reviewer", "test")
    assert opened[0]["seal"] == committed[0]["seal"]


def test_a_task_without_oracle_and_reference_is_done_and_audited_too(solved: Any) -> None:
    audit = solved.events("audit.finished")[-1]
    assert (audit["sealed"], audit["gap"], audit["reference"], audit["holds"]) == (1.0, 0.0, None, True)


def test_the_ledger_holds_no_test_case_of_a_task_whose_test_split_is_a_file(solved: Any, tiny: Any) -> None:
    cases = [json.loads(line) for line in tiny.tree.text("splits/test.jsonl").splitlines()]
    registered = solved.events("task.registered")[0]
    with Ledger.open(solved.db, create=False) as ledger:
        kept = ledger.get_tree(registered["blob"])
        texts = [event.payload for event in ledger.events(ledger.run("last").id)]
    assert kept.files["splits/test.jsonl"] == b""
    for case in cases:
        assert not [text for text in texts if str(case["expected"]) in text]


def test_a_harness_the_gate_refuses_is_mended_before_anything_is_scored(
    new_house: Callable[[], Any], script: Any, tiny: Any, right: str
) -> None:
    house = new_house()
    toml = '[metric]\nname = "score"\nbounds = [0, 1]\naccept = 1.0\n[requirements]\nR1 = ["test_it"]\n'
    script.study().use("build_harness", "write_file", path="lax/harness.toml", content=toml)
    script.use("build_harness", "submit", path="lax").hand_in_the_scaffold().attempt(right)
    done = house.run(tiny.where, script, "--json")
    assert [harness["verdict"] for harness in done.json["harnesses"]] == ["rejected", "qualified"]
    told = [each["content"] for each in house.events("message.added") if "did not qualify" in each["content"]]
    assert len(told) == 1 and "metrics.py is missing" in told[0]
    assert (done.code, done.json["best_validation"]) == (0, 1.0)

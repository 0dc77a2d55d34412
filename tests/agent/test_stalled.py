"""A model that does not get on ends its run in good order, and never takes a promoted submission with it."""

from typing import Any

import pytest


@pytest.fixture(scope="module")
def worsened(new_house: Any, new_script: Any, tiny: Any, right: str, wrong: str, image: str) -> tuple[Any, Any]:
    """A run that submits something partly right, then something worse, and then only talks."""
    partly = right.replace("1.0 - math", "math.comb(n - c, k) and 1.0 - math")
    house, script = new_house(), new_script()
    script.study().hand_in_the_scaffold().attempt(partly).attempt(wrong).attempt("exit 7\n")
    for _ in range(40):
        script.say("attempt", "I am thinking.")
    return house, house.run(tiny.where, script, "--json")


def test_a_worse_submission_never_replaces_the_promoted_one(worsened: tuple[Any, Any]) -> None:
    house, done = worsened
    assert done.code == 0, done.err
    first, second, third = (each for each in done.json["submissions"] if each["split"] == "validation")
    assert first["value"] > second["value"]
    assert third["state"] == "submission_failed"
    promoted = house.events("submission.promoted")
    assert [each["digest"] for each in promoted] == [first["digest"]]
    assert done.json["best_validation"] == first["value"]


def test_a_model_that_stops_acting_leaves_what_was_promoted(worsened: tuple[Any, Any]) -> None:
    _, done = worsened
    assert done.json["state"] == "finished"
    assert done.json["reason"] == "the model gave 10 answers in a row without a usable tool call, in phase attempt"


def test_of_validation_the_model_hears_no_expectation_and_no_input(worsened: tuple[Any, Any], tiny: Any) -> None:
    house, _ = worsened
    heard = [each["content"] for each in house.events("message.added")] + [
        each["text"] for each in house.events("tool.result")
    ]
    assert any("on validation: value" in text for text in heard)
    public = {str(case.expected) for case in tiny.public.cases}
    for case in tiny.validation.cases:
        assert not [text for text in heard if case.id in text]
        if str(case.expected) not in public:
            assert not [text for text in heard if str(case.expected) in text]


def test_a_failing_submission_is_told_what_it_printed(worsened: tuple[Any, Any]) -> None:
    house, _ = worsened
    last = [each["content"] for each in house.events("message.added") if each["content"].startswith("Submission 3")]
    assert "on validation: submission_failed: reproduce.sh ended with status 7" in last[0]


@pytest.mark.parametrize(
    "useless",
    [
        {"content": "I would rather talk."},
        {"tool_calls": [{"name": "bash", "arguments": {"__malformed__": '{"command": "ls'}}]},
        {"tool_calls": [{"name": "no_such_tool", "arguments": {}}]},
    ],
    ids=["no tool call", "arguments that are not JSON", "unknown tool"],
)
def test_forty_useless_answers_end_with_one_clear_line(house: Any, script: Any, tiny: Any, useless: Any) -> None:
    script.study()
    script.lines += [{"purpose": "build_harness", **useless}] * 40
    done = house.run(tiny.where, script, "--json")
    assert (done.code, done.json["state"]) == (1, "failed")
    assert (
        done.json["reason"] == "the model gave 10 answers in a row without a usable tool call, in phase build_harness"
    )
    assert "Traceback" not in done.err
    assert done.json["tokens"]["replies"] == 11, "given up on after ten, not after forty"


def test_each_useless_answer_is_told_what_is_wrong_with_it(house: Any, script: Any, tiny: Any) -> None:
    script.study().use("build_harness", "no_such_tool").use("build_harness", "bash", command=7)
    script.say("build_harness", "Hm.").use("build_harness", "submit", path="nowhere")
    done = house.run(tiny.where, script)
    assert done.code == 2 and "there is no further answer for 'build_harness'" in done.err
    unknown, mistyped, nowhere = (each["text"] for each in house.events("tool.result"))
    assert unknown.startswith("there is no tool 'no_such_tool'. There are: bash,")
    assert "7 is not of type 'string'" in mistyped
    assert "nowhere" in nowhere
    nudge = house.events("message.added")[-1]["content"]
    assert nudge.startswith("That answer held no tool call. Act through the tools: bash,")
